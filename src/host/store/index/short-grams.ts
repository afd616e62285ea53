/**
 * The index `messages_fts_short`: single characters and pairs, for words that the other two indexes cannot find. They
 * know words of letters and pieces of at least three characters; a Chinese word often has two, an emoji is one.
 *
 * A gram is written as its code points in base 35, joined by `z`, because FTS5 ignores signs in a text.
 */

/** Scripts whose words are not separated by blanks. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}々ー]/u;
const LETTER = /[\p{L}\p{N}\p{M}_]/u;
/** Signs that make a word together with a letter: `C#`, `5%`, `@x`. */
const JOINING = /[\p{S}#%&*@]/u;
/** Follows an emoji to show it in colour; the same emoji is written without it, too. */
const EMOJI_STYLE = "\ufe0f";

type Kind = "blank" | "letter" | "unspaced" | "joining" | "sign";

/** Distinct characters are few, and the classes above are slow to ask. */
const kinds = new Map<string, Kind>();

function kindOf(character: string): Kind {
  const known = kinds.get(character);
  if (known !== undefined) return known;
  const kind =
    character.trim() === ""
      ? "blank"
      : UNSPACED.test(character)
        ? "unspaced"
        : LETTER.test(character)
          ? "letter"
          : JOINING.test(character)
            ? "joining"
            : "sign";
  if (kinds.size < 50_000) kinds.set(character, kind);
  return kind;
}

/** Not a letter of a word with blanks around it: indexed alone. */
const standsAlone = (kind: Kind): boolean => kind !== "blank" && kind !== "letter";

function standsTogether(left: Kind, right: Kind): boolean {
  if (left === "blank" || right === "blank" || (left === "letter" && right === "letter")) return false;
  return !((left === "letter" && right === "sign") || (left === "sign" && right === "letter"));
}

function charactersOf(text: string): string[] {
  return [...text.toLowerCase().replaceAll(EMOJI_STYLE, "")];
}

/** Every gram of a text, once, with blanks between them. */
export function shortGrams(text: string): string {
  const grams = new Set<string>();
  let before = "";
  let kindBefore: Kind = "blank";
  for (const character of charactersOf(text)) {
    const kind = kindOf(character);
    const code = kind === "blank" ? "" : character.codePointAt(0)!.toString(35);
    if (standsAlone(kind)) grams.add(code);
    if (standsTogether(kindBefore, kind)) grams.add(`${before}z${code}`);
    before = code;
    kindBefore = kind;
  }
  return [...grams].join(" ");
}

/** The gram that a term of one or two characters is. `undefined`: longer, or no text has such a gram. */
export function gramOf(term: string): string | undefined {
  const characters = charactersOf(term);
  const [left = "", right] = characters;
  if (characters.length === 0 || characters.length > 2) return undefined;
  const isGram = right === undefined ? standsAlone(kindOf(left)) : standsTogether(kindOf(left), kindOf(right));
  return isGram ? characters.map((character) => character.codePointAt(0)!.toString(35)).join("z") : undefined;
}

/** Whether a term has a character that an index of words does not know. */
export function hasUnspaced(text: string): boolean {
  return charactersOf(text).some((character) => kindOf(character) === "unspaced");
}

/** Whether a term consists of signs and symbols alone. */
export function hasNoLetter(text: string): boolean {
  return charactersOf(text).every((character) => !["letter", "unspaced"].includes(kindOf(character)));
}

/** Whether a term has a symbol that is no ASCII punctuation, such as an emoji: it is always meant. */
export function hasSymbol(text: string): boolean {
  return /[^\p{ASCII}\p{L}\p{N}\p{M}\p{P}\s]/u.test(text);
}
