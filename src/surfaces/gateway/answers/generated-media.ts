import type { Recorded } from "../../../contract/conversation/fact.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { SettledOutcome } from "../../../contract/tools/outcome.ts";
import { mediaTags } from "./media-tags.ts";

export interface MadeMedia {
  /** Of the whole conversation. */
  readonly all: readonly string[];
  /** Of this turn. */
  readonly now: readonly string[];
  /** Of these, what is meant to be a voice message. */
  readonly voices: readonly string[];
}

/**
 * Files that tools of a conversation say they made to be shown: by `media_tag`, `image` or `video` of a result, at its top. The result says it and no
 * declaration of the tool: these words are the original's, which its tools in Python write and which a declaration could only repeat, and the facts
 * of a turn tell it also when the plugin that ran is gone. It opens nothing: what is protected or private is sent by nobody's word, and a result
 * that holds a stranger's words names nothing.
 */
export function madeMedia(facts: readonly Recorded[], turnId: string): MadeMedia {
  const turns = new Map<string, string>();
  const [all, now, voices] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { fact } of facts) {
    if (fact.type === "tool.called") turns.set(fact.callId, fact.turnId);
    if (fact.type !== "tool.settled" || fact.outcome.kind !== "ok") continue;
    for (const part of fact.outcome.shown) {
      // Words of strangers in a result name nothing.
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

/** Whether {@link madeMedia} may find something in it. */
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
    return undefined; // Cut off, or no JSON after all.
  }
}
