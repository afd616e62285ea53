import type { Logger } from "../../../contract/common/logger.ts";
import type { Notice } from "../../../contract/common/notice.ts";
import type { Choice } from "../consent/choose-plugins.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { Verdict } from "../consent/gate.ts";
import { hasEntryModule } from "../discovery/plugin-files.ts";

/** Notices for the user about plugins that failed, cannot run, or wait to be enabled. */
export class PluginNotices {
  readonly #log: Logger;
  #notices: Notice[] = [];

  constructor(log: Logger) {
    this.#log = log;
  }

  get all(): readonly Notice[] {
    return this.#notices;
  }

  clear(): void {
    this.#notices = [];
  }

  /** The log already has these. */
  add(notice: Notice): void {
    this.#notices.push(notice);
  }

  /** Adds a notice, and logs it unless it is only informative. */
  say(level: Notice["level"], text: string, hint?: string): void {
    this.add({ level, text, hint });
    if (level !== "info") this.#log.warning(text);
  }

  /** @param absent Names in `plugins.enabled` that do not exist. */
  ofChoice({ verdicts, beatenBy }: Choice, absent: readonly string[]): void {
    if (absent.length > 0)
      this.say(
        "warning",
        `plugins.enabled names ${absent.map((name) => `"${name}"`).join(", ")}, but ${absent.length === 1 ? "this plugin does not exist" : "these plugins do not exist"}.`,
        `Run \`hermes plugins disable ${absent[0]}\` to remove ${absent.length === 1 ? "it" : "the first"} from the list.`,
      );
    for (const [plugin, verdict] of verdicts) {
      const winner = beatenBy.get(plugin);
      if (winner !== undefined)
        this.#log.debug(
          `Skipped ${plugin.key} in ${plugin.dir}: the plugin in ${winner.dir} has the same name and comes later (order: ${PRECEDENCE})`,
        );
      if (verdict.state === "enabled") continue;
      this.#log.debug(`Skipped ${plugin.key}: ${verdict.reason}`);
      if (plugin.source !== "bundled") this.#ofSkipped(plugin, verdict);
    }
    const waiting = [...verdicts].filter(([plugin, verdict]) => waits(plugin, verdict)).map(([{ key }]) => key);
    if (waiting.length > 0)
      this.add({
        level: "info",
        text: `${waiting.length === 1 ? "A plugin waits" : `${waiting.length} plugins wait`} to be enabled: ${waiting.slice(0, 5).join(", ")}${waiting.length > 5 ? ", ..." : ""}`,
        hint: `hermes plugins enable ${waiting.length === 1 ? waiting[0]! : "NAME"}`,
      });
  }

  #ofSkipped({ key }: FoundPlugin, { state, because, reason }: Skipped): void {
    if (state === "failed") this.add({ level: "warning", text: `The plugin "${key}" cannot run: ${reason}` });
    else if (state === "disabled" && because !== "off")
      this.say("warning", reason, because === "variables" ? missingVariable(reason) : undefined);
    else if (because === "changed") this.say("warning", `The plugin "${key}" is not running: ${reason}`);
  }
}

/** Shown wherever one plugin replaces another. */
export const PRECEDENCE = "bundled, Python packages, npm packages, the home's plugins, the project's";

type Skipped = Exclude<Verdict, { readonly state: "enabled" }>;

/** The user copied it there, and it only needs approval. */
function waits({ source, manifest, files }: FoundPlugin, verdict: Verdict): boolean {
  return (
    verdict.state === "not enabled" &&
    !["bundled", "python", "npm"].includes(source) &&
    manifest.kind !== "exclusive" &&
    verdict.because !== "changed" &&
    (manifest.program !== undefined || hasEntryModule(files))
  );
}

/** Finds the fix for a plugin that lacks a variable: `(missing: NAME, …)`. */
function missingVariable(reason: string): string {
  return `Run \`hermes config set ${/missing: (\w+)/.exec(reason)?.[1] ?? "NAME"} VALUE\` to add it to .env.`;
}
