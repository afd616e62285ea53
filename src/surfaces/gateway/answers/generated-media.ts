import type { Recorded } from "../../../contract/conversation/fact.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { SettledOutcome } from "../../../contract/tools/outcome.ts";
import { mediaTags } from "../../shared/conversation/media-tags.ts";

export interface MadeMedia {
  /** Generated files of the whole conversation. */
  readonly all: readonly string[];
  /** Generated files of this turn. */
  readonly now: readonly string[];
  /** Generated files that are voice messages. */
  readonly voices: readonly string[];
}

/**
 * Files that tools of a conversation made to be shown, according to `media_tag`, `image` or `video` at the top level of
 * their results. The result names them, not a declaration of the tool, because tools written for the original do so,
 * and because the facts of a turn remain when the plugin is gone. A result cannot release protected or private files,
 * and a result with untrusted content names no files.
 */
export function madeMedia(facts: readonly Recorded[], turnId: string): MadeMedia {
  const turns = new Map<string, string>();
  const [all, now, voices] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { fact } of facts) {
    if (fact.type === "tool.called") turns.set(fact.callId, fact.turnId);
    if (fact.type !== "tool.settled" || fact.outcome.kind !== "ok") continue;
    for (const part of fact.outcome.shown) {
      // Untrusted content names no files.
      if (part.type !== "text" || part.from !== undefined) continue;
      for (const { path, voice } of namedIn(part.text)) {
        all.add(path);
        if (turns.get(fact.callId) === turnId) now.add(path);
        if (voice) voices.add(path);
      }
    }
  }
  return { all: [...all], now: [...now], voices: [...voices] };
}

/** Whether {@link madeMedia} could find a file in this outcome. */
export function mentionsMedia(outcome: SettledOutcome): boolean {
  return outcome.kind === "ok" && outcome.shown.some((part) => part.type === "text" && KEYS.test(part.text));
}

const KEYS = /"(?:media_tag|image|video)"/;

function namedIn(text: string): readonly { readonly path: string; readonly voice: boolean }[] {
  if (!KEYS.test(text)) return [];
  const result = parsed(text);
  if (!isObject(result)) return [];
  const { media_tag, image, video } = result;
  const tagged = typeof media_tag === "string" ? mediaTags(media_tag) : undefined;
  return [
    ...(tagged?.files ?? []).map(({ path }) => ({ path, voice: tagged?.asVoice === true })),
    ...[image, video].flatMap((place) =>
      typeof place === "string" && place.startsWith("/") ? [{ path: place, voice: false }] : [],
    ),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Truncated, or not JSON.
  }
}
