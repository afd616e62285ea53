import type { Logger } from "../../../contract/common/logger.ts";
import type { Notice } from "../../../contract/common/notice.ts";
import type { Choice } from "../consent/choose-plugins.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { Verdict } from "../consent/gate.ts";
import { hasEntryModule } from "../discovery/plugin-files.ts";

/** What a person should know of their plugins: those that failed, cannot run, or wait to be enabled. */
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

  /** What the log has already. */
  add(notice: Notice): void {
    this.#notices.push(notice);
  }

  /** Told, and logged unless it is only worth knowing. */
  say(level: Notice["level"], text: string, hint?: string): void {
    this.add({ level, text, hint });
    if (level !== "info") this.#log.warning(text);
  }

  /** @param absent What `plugins.enabled` names and is not there. */
  ofChoice({ verdicts, beatenBy }: Choice, absent: readonly string[]): void {
    if (absent.length > 0)
      this.say(
        "warning",
        `plugins.enabled names ${absent.map((name) => `"${name}"`).join(", ")}, and there ${absent.length === 1 ? "is no such plugin" : "are no such plugins"}.`,
        `hermes plugins disable ${absent[0]} takes ${absent.length === 1 ? "it" : "the first"} out.`,
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
    else if (because === "changed") this.say("warning", `The plugin "${key}" does not run: ${reason}`);
  }
}

/** Said wherever one plugin takes another's place. */
export const PRECEDENCE = "bundled, Python packages, npm packages, the home's plugins, the project's";

type Skipped = Exclude<Verdict, { readonly state: "enabled" }>;

/** Somebody put it there by hand, and it wants nothing but a yes. */
function waits({ source, manifest, files }: FoundPlugin, verdict: Verdict): boolean {
  return (
    verdict.state === "not enabled" &&
    !["bundled", "python", "npm"].includes(source) &&
    manifest.kind !== "exclusive" &&
    verdict.because !== "changed" &&
    (manifest.program !== undefined || hasEntryModule(files))
  );
}

/** What helps a plugin that lacks a variable: `(missing: NAME, …)`. */
function missingVariable(reason: string): string {
  return `hermes config set ${/missing: (\w+)/.exec(reason)?.[1] ?? "NAME"} VALUE puts it into .env.`;
}
