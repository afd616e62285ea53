import { posix } from "node:path";

/** Letters of other scripts that look like Latin ones, for names that are made to be misread. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  "аa еe оo рp сc уy хx іi ѕs јj һh ԁd ɡg ԛq ԝw ʏy ɩi ıi ɑa οo νv κk αa ρp τt υu ωw ⅼl սu ոn օo ꓸ. ․. ∕/ ⁄/ ⧸/ ╱/ 〳/ ＼\\ ∖\\ ⧵\\"
    .split(" ")
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

/**
 * Every way a file system, a decoder or a reader may take a path: percent forms, backslashes, look-alike letters,
 * full-width and invisible characters, trailing dots and blanks, streams, `$HOME`. The path itself comes first; where
 * it is plain, nothing follows.
 */
export function pathReadings(path: string, home: string, roots: readonly string[] = []): readonly string[] {
  if (/^[\w/.@+,=-]*$/.test(path) && !/\.(\/|$)/.test(path)) return [path];
  const readings = new Set([path]);
  for (const change of [
    decodePercent,
    decodePercent,
    plainLetters,
    slashes,
    (text: string) => expandHome(text, home, roots),
    trimNames,
  ]) {
    for (const reading of Array.from(readings)) readings.add(posix.normalize(change(reading)));
  }
  return [...readings].map((reading) =>
    reading.length > 1 && reading.endsWith("/") && reading !== path ? reading.slice(0, -1) : reading,
  );
}

/** Whether a part of a path is `..` only to a decoder or a reader, as in `%2e%2e/x`. */
export function hidesParent(path: string): boolean {
  if (!/[^\w/.@+,=~-]/.test(path)) return false;
  const readings = new Set([path]);
  for (const change of [decodePercent, decodePercent, plainLetters, slashes, trimNames]) {
    for (const reading of Array.from(readings)) readings.add(change(reading));
  }
  const plainly = countParents(path);
  return [...readings].some((reading) => countParents(reading) > plainly);
}

function countParents(path: string): number {
  return path.split("/").filter((name) => name === "..").length;
}

function decodePercent(text: string): string {
  return text
    .replace(/%u?(?:00)?([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/%c0%(?:ae|af)/gi, (form) => (/ae$/i.test(form) ? "." : "/"));
}

function plainLetters(text: string): string {
  if (!/[^\x20-\x7e]/.test(text)) return text;
  const visible = text.replace(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, "").normalize("NFKC");
  return [...visible].map((char) => LOOK_ALIKES.get(char.toLowerCase()) ?? char).join("");
}

const slashes = (text: string): string => text.replaceAll("\\", "/");

/** Where it is known what paths are relative to, a home further behind is a name like any other. */
function expandHome(text: string, home: string, roots: readonly string[]): string {
  const at = /(?:^|\/)(?:\$HOME|\$\{HOME\}|%USERPROFILE%|~)(?=\/|$)/.exec(text);
  const first = at !== null && (roots.length === 0 || at.index === 0 || roots.includes(text.slice(0, at.index)));
  return first ? home + text.slice(at.index + at[0].length) : text;
}

/** Some systems drop dots and blanks at a name's end, and what stands behind a colon. */
function trimNames(text: string): string {
  return text.split("/").map(trimName).join("/");
}

function trimName(name: string): string {
  const plain = (name.replace(/:.*$/, "") || name).trimEnd();
  return /^\.{1,2}$/.test(plain) ? plain : plain.replace(/[. ]+$/, "") || name;
}
