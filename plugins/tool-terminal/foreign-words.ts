import { basename } from "node:path/posix";
import { hostOf, isLoopback, isOutsideWorkspace, type CommandJudgement, type ForeignWords, type RiskContext } from "hermes-agent/plugin";
import { plain } from "./reach.ts";

/** Programs that ask a service by themselves and print what other people wrote there. */
const ASK_SERVICES = new Set("gh glab hub aws gcloud az heroku http https xh w3m lynx links elinks mutt neomutt himalaya notmuch mail".split(" "));

/** Whose words a command prints: those of the addresses it asks, and of files outside the session's folder. */
export function foreignWords({ effects }: CommandJudgement, call: RiskContext): ForeignWords | undefined {
  const kept = effects.some((effect) => effect.kind === "write") ? { kept: true as const } : {};
  for (const effect of effects) {
    if (effect.kind === "network" && !isLoopback(effect.url)) {
      const host = hostOf(plain(effect.url));
      return { source: plain(effect.url) || "the network", ...(host === undefined ? {} : { host }), ...kept };
    }
    if (effect.kind === "execute" && ASK_SERVICES.has(basename(effect.program))) return { source: plain(effect.words.join(" ")), ...kept };
    if (effect.kind === "read" && effect.path !== undefined && isOutsideWorkspace(effect.path, call)) return { source: plain(effect.path), ...kept };
  }
  return undefined;
}
