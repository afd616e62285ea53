import { ToolFailure } from "hermes-agent/plugin";
import { STICKERS, type Sticker } from "./catalogue.ts";

/** Stickers that match the keywords, best first; without keywords, the first of the catalogue. */
export function findStickers(words: string, most: number): readonly Sticker[] {
  const wanted = plain(words);
  if (wanted === "") return STICKERS.slice(0, most);
  return ranked(wanted)
    .slice(0, most)
    .map(({ sticker }) => sticker);
}

/** Finds a sticker by ID, name or keyword; without a name, any. @throws {ToolFailure} `not_found` with similar ones. */
export function stickerOf(named: string, random: () => number = Math.random): Sticker {
  const wanted = plain(named);
  if (wanted === "") return STICKERS[Math.floor(random() * STICKERS.length)]!;
  const [first, ...others] = ranked(wanted);
  if (first !== undefined && first.rank >= NAMED) return first.sticker;
  const near = [first, ...others]
    .slice(0, 5)
    .flatMap((one) => (one === undefined ? [] : [{ sticker_id: one.sticker.id, name: one.sticker.name }]));
  throw new ToolFailure("not_found", `No sticker matches "${named.slice(0, 60)}".`, {
    hint: "Use yb_search_sticker to find stickers by keywords.",
    data: { success: false, candidates: near },
  });
}

const NAMED = 3;
/** Scripts without spaces: a keyword may be anywhere in the text. */
const CHINESE = /\p{Script=Han}/u;

/**
 * Match score: 6 for the ID or name, 5 for a keyword, 4 and 3 for a part of these, below that the share of letter
 * pairs.
 */
function ranked(wanted: string): readonly { readonly sticker: Sticker; readonly rank: number }[] {
  return STICKERS.map((sticker) => ({ sticker, rank: rankOf(sticker, wanted) }))
    .filter(({ rank }) => rank >= 0.2)
    .toSorted((one, other) => other.rank - one.rank);
}

function rankOf({ id, name, description }: Sticker, wanted: string): number {
  const title = plain(name);
  const words = description.split(/\s+/).map(plain);
  if (wanted === id || wanted === title) return 6;
  if (words.includes(wanted)) return 5;
  if (title.includes(wanted) || wanted.includes(title)) return 4;
  if (words.some((word) => word.includes(wanted) || (word.length > 1 && CHINESE.test(word) && wanted.includes(word))))
    return NAMED;
  return Math.max(...[title, ...words].map((word) => likeness(wanted, word)));
}

/** The share of common letter pairs, 0 to 1. */
function likeness(one: string, other: string): number {
  const [pairs, others] = [pairsOf(one), pairsOf(other)];
  const all = new Set([...pairs, ...others]).size;
  return all === 0 ? 0 : [...pairs].filter((pair) => others.has(pair)).length / all;
}

function pairsOf(word: string): ReadonlySet<string> {
  const letters = [...word];
  return new Set(letters.slice(1).map((letter, at) => `${letters[at]}${letter}`));
}

/** Lower case, without spaces and punctuation. */
function plain(words: string): string {
  return words
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
