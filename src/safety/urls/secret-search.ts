import { createKnownMask } from "../secrets/known-values.ts";
import { isWords } from "../secrets/token-runs.ts";
import { TOKEN_SHAPES } from "../secrets/token-shapes.ts";

const MAX_DEPTH = 3;
const SHORTEST = 6;
/** Letters alone are met by chance sooner. */
const SHORTEST_FLAT = 10;

/**
 * Whether one of these values would leave with the text: plain, escaped, in base64, base32 or hexadecimal, reversed, or
 * one of these inside another.
 * @param how `any-case`: for text that loses its case, such as a host's name.
 */
export function findInText(text: string, secrets: readonly string[], how: "exact" | "any-case" = "exact"): boolean {
  const long = secrets.filter((secret) => secret.length >= SHORTEST);
  if (long.length === 0 || text === "") return false;
  if (how === "any-case") {
    const flat = text.toLowerCase();
    return long.some((secret) =>
      [secret, toBase32(secret), Buffer.from(secret).toString("hex"), Buffer.from(secret).toString("base64url")].some(
        (form) => flat.includes(form.toLowerCase()),
      ),
    );
  }
  return search(text, long, searcher(long), 0);
}

/** Tables of the last lists asked about: one request asks about its URL, headers and body. */
let last: { readonly secrets: readonly string[]; readonly find: (text: string) => boolean } | undefined;

function searcher(secrets: readonly string[]): (text: string) => boolean {
  if (
    last !== undefined &&
    last.secrets.length === secrets.length &&
    last.secrets.every((secret, at) => secret === secrets[at])
  )
    return last.find;
  const mask = createKnownMask(() => secrets);
  const folded = secrets.map(toBase32);
  const flat = secrets
    .flatMap((secret) => [lettersOf(secret), Buffer.from(secret).toString("hex")])
    .filter((form) => form.length >= SHORTEST_FLAT);
  const find = (text: string): boolean => {
    if (mask(text) !== text || folded.some((form) => text.toUpperCase().includes(form))) return true;
    const letters = lettersOf(text);
    return flat.some((form) => letters.includes(form));
  };
  last = { secrets, find };
  return find;
}

/** Without the signs that could be put between the letters, and without capitals. */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, "");

function search(text: string, secrets: readonly string[], find: (text: string) => boolean, depth: number): boolean {
  if (find(text)) return true;
  if (depth === MAX_DEPTH) return false;
  return layers(text).some((inner) => search(inner, secrets, find, depth + 1));
}

/** The text with one layer of encoding removed. Long bodies are searched plain and unescaped only. */
function layers(text: string): readonly string[] {
  const inner: string[] = [];
  if (text.includes("%")) inner.push(unescape(text));
  if (text.includes("+")) inner.push(unescape(text.replaceAll("+", " ")));
  if (text.length > 262_144) return inner;
  const runs = text.match(/[A-Za-z0-9+/_-]{12,}={0,2}/g) ?? [];
  // A slash is a letter of base64, and in a path the end of a part.
  for (const run of new Set(runs.flatMap((found) => (found.includes("/") ? [found, ...found.split("/")] : [found])))) {
    if (run.length < 8) continue;
    inner.push(Buffer.from(run, "base64").toString("latin1"));
    if (/^(?:[0-9a-f]{2})+$/i.test(run)) inner.push(Buffer.from(run, "hex").toString("latin1"));
  }
  if (/\\u00[0-9a-f]{2}/i.test(text))
    inner.push(text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))));
  if (text.includes("&#"))
    inner.push(
      text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (_, hex?: string, decimal?: string) =>
        String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
      ),
    );
  return inner;
}

function unescape(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escaped) =>
    Buffer.from(escaped.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

function toBase32(text: string): string {
  let bits = "";
  for (const byte of Buffer.from(text)) bits += byte.toString(2).padStart(8, "0");
  let out = "";
  // The letter that mixes with what follows is left out.
  for (let at = 0; at + 5 <= bits.length; at += 5)
    out += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(bits.slice(at, at + 5), 2)];
  return out;
}

/** Beginnings that are ids, not keys, or common in links that are signed. */
const NOT_IN_LINKS = new Set(["AKIA", "ASIA", "AGPA", "AROA", "ANPA", "1//", "EAAA", "AIza", "pk_live_"]);
const LEADS = TOKEN_SHAPES.filter(({ lead }) => !NOT_IN_LINKS.has(lead));

/** Something in a link that is shaped like a key and not like the words of a headline. */
export function looksLikeKey(text: string): boolean {
  const plain = text.includes("%") ? unescape(text) : text;
  for (const [run] of plain.matchAll(/[A-Za-z0-9_.-]{16,}/g)) {
    for (const { lead, min } of LEADS) {
      const at = run.indexOf(lead);
      if (at === -1 || (at > 0 && /[A-Za-z0-9]/.test(run[at - 1]!))) continue;
      const body = run.slice(at + lead.length);
      if (body.length >= min && !isWords(body)) return true;
    }
  }
  return false;
}
