import { posix } from "node:path";
import type { UntrustedSource } from "../../contract/conversation/part.ts";
import type { RiskContext } from "../../contract/tools/tool.ts";
import type { CommandJudgement } from "../commands/command.ts";
import { hostOf, isLoopback, isOutsideWorkspace } from "../paths/workspace.ts";

/** Programs that query a service and print what other people wrote there. */
const ASK_SERVICES = new Set(
  "gh glab hub aws gcloud az heroku http https xh w3m lynx links elinks mutt neomutt himalaya notmuch mail".split(" "),
);

/** Whose words a command prints: those of the addresses it asks, and of files outside the session's folder. */
export function untrustedSource({ effects }: CommandJudgement, call: RiskContext): UntrustedSource | undefined {
  const saved = effects.some((effect) => effect.kind === "write") ? { kept: true as const } : {};
  for (const effect of effects) {
    if (effect.kind === "network" && !isLoopback(effect.url)) {
      const host = hostOf(shownPath(effect.url));
      return { source: shownPath(effect.url) || "the network", host, ...saved };
    }
    if (effect.kind === "execute" && ASK_SERVICES.has(posix.basename(effect.program)))
      return { source: shownPath(effect.words.join(" ")), ...saved };
    if (effect.kind === "read" && effect.path !== undefined && isOutsideWorkspace(effect.path, call))
      return { source: shownPath(effect.path), ...saved };
  }
  return undefined;
}

/** The text of the service at this address, for example of a refusal: its source is its host. */
export function wordsOfHost(url: string): UntrustedSource {
  const host = hostOf(url);
  return host === undefined ? { source: "a service" } : { source: host, host };
}

/** Replaces the marks for unknown parts by text for the user. */
export function shownPath(text: string): string {
  return text.replaceAll("\uE010", "*").replace(/[\uE000-\uE01F]/g, "…");
}
