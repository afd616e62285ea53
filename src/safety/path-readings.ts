import { posix } from "node:path";

/** Letters of other scripts that look like Latin ones, for names that are made to be misread. */
const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [..."аaеeоoрpсcуyхxіiѕsјjһhԁdɡgԛqԝwʏyɩiıiɑaοoνvκkαaρpτtυuωwⅼlսuոnօoһhⲟoꓸ.․.∕/⁄/⧸/╱/〳/＼\\∖\\⧵\\"].reduce<[string, string][]>(
    (pairs, char, index, all) => (index % 2 === 0 ? [...pairs, [char, all[index + 1]!]] : pairs),
    [],
  ),
);

/**
 * Every way a file system, a decoder or a reader may take a path: percent forms, backslashes, look-alike letters, full-width and invisible
 * characters, trailing dots and blanks, streams, `$HOME`. The path itself comes first; where it is plain, nothing follows.
 */
export function pathReadings(path: string, home: string): readonly string[] {
  if (/^[\w/.@+,=-]*$/.test(path) && !/\.(\/|$)/.test(path)) return [path];
  const readings = new Set([path]);
  for (const change of [decodePercent, decodePercent, plainLetters, slashes, (text: string) => expandHome(text, home), trimNames]) {
    for (const reading of [...readings]) readings.add(posix.normalize(change(reading)));
  }
  return [...readings].map((reading) => (reading.length > 1 && reading.endsWith("/") && reading !== path ? reading.slice(0, -1) : reading));
}

function decodePercent(text: string): string {
  return text.replace(/%u?(?:00)?([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))).replace(/%c0%(?:ae|af)/gi, (form) => (/ae$/i.test(form) ? "." : "/"));
}

function plainLetters(text: string): string {
  if (!/[^\x20-\x7e]/.test(text)) return text;
  const visible = text.replace(/[\p{Cf}\p{Cc}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufe00-\ufe0f]/gu, "").normalize("NFKC");
  return [...visible].map((char) => LOOK_ALIKES[char.toLowerCase()] ?? char).join("");
}

const slashes = (text: string): string => text.replaceAll("\\", "/");

function expandHome(text: string, home: string): string {
  const at = /(?:^|\/)(?:\$HOME|\$\{HOME\}|%USERPROFILE%|~)(?=\/|$)/.exec(text);
  return at ? home + text.slice(at.index + at[0].length) : text;
}

/** Some systems drop dots and blanks at a name's end, and what stands behind a colon. */
function trimNames(text: string): string {
  return text.split("/").map(trimName).join("/");
}

function trimName(name: string): string {
  const plain = (name.replace(/:.*$/, "") || name).trimEnd();
  return /^\.{1,2}$/.test(plain) ? plain : plain.replace(/[. ]+$/, "") || name;
}
