import { plainPieces } from "../text/decoded.ts";
import { findDeception, makeVisible } from "../text/visible.ts";
import { withoutFences } from "./code/code-pieces.ts";
import { findInCode } from "./code/code-findings.ts";
import { leadsToUnknownHost } from "./vocabulary/outside-words.ts";
import { findInProse } from "./prose-findings.ts";
import { lineAt, type SkillFinding } from "./skill-finding.ts";

/**
 * Text that a model reads and a human reader of the file does not see: hidden characters, comments, invisible styles,
 * encoded text.
 */
export async function findHidden(file: string, text: string, markdown: boolean): Promise<readonly SkillFinding[]> {
  return [
    ...hiddenCharacters(file, text),
    ...mixedScripts(file, text),
    ...(markdown ? comments(file, text) : []),
    ...(await encoded(file, text)),
  ];
}

/** Tags of a flag emoji, a mark at the beginning of a file and line ends of Windows are ordinary. */
function withoutOrdinary(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r", "")
    .replace(/\u{1F3F4}[\u{E0061}-\u{E007A}]{2,6}\u{E007F}/gu, "");
}

const ORDINARY_MARKS = /[\u200e\u200f\u061c\u00ad\u0085\u{e000}-\u{f8ff}\f\v\u2028\u2029]/gu;

function hiddenCharacters(file: string, text: string): readonly SkillFinding[] {
  const found: SkillFinding[] = [];
  const plain = withoutOrdinary(text);
  const selectors = /[\u{E0100}-\u{E01EF}]{3,}|[\uFE00-\uFE0F]{3,}/u.exec(plain);
  if (selectors !== null)
    found.push({
      severity: "critical",
      category: "injection",
      file,
      line: lineAt(plain, selectors.index),
      reason: "It contains a run of invisible variation selectors, which can encode any text.",
    });
  const tags = /[\u{E0000}-\u{E007F}]+/u.exec(plain);
  if (tags !== null) {
    const message = [...tags[0]]
      .map((char) => String.fromCodePoint(Math.max(0x20, (char.codePointAt(0) ?? 0) - 0xe0000)))
      .join("")
      .trim();
    found.push({
      severity: "critical",
      category: "injection",
      file,
      line: lineAt(plain, tags.index),
      reason: `It contains text in invisible tag characters: “${message.slice(0, 120)}”`,
    });
  }
  const deception = findDeception(plain.replace(/[\u{E0000}-\u{E01EF}]/gu, "").replace(ORDINARY_MARKS, ""));
  if (deception !== undefined) {
    const bad = deception.kind === "bidi" || deception.kind === "escape";
    // One or two come with text that was copied from a page.
    const many = (plain.match(/[\u200b-\u200d\u2060-\u2064\ufeff\u3164\uffa0\u180e]/g)?.length ?? 0) > 2;
    found.push({
      severity: bad ? "critical" : deception.kind !== "zero-width" || many ? "high" : "medium",
      category: "injection",
      file,
      line: 0,
      reason: `It ${deception.reason}.`,
    });
    const bare = [...plain].filter((char) => makeVisible(char) === char).join("");
    found.push(...findInProse(file, bare).filter(({ severity }) => severity === "critical"));
  }
  return found;
}

/** A word of Latin letters with one of another script that looks the same: made for the eye, not for the reader. */
function mixedScripts(file: string, text: string): readonly SkillFinding[] {
  const mixed =
    /(?<![\p{L}\p{N}])(?=[\p{L}]{0,30}[a-z]{2})(?=[\p{L}]{0,30}[а-яіѕјԁԛԝαοενρ])[a-zA-Zа-яА-ЯіѕјԁԛԝІЅЈαοενρ]{4,30}(?![\p{L}\p{N}])/u.exec(
      text,
    );
  if (mixed === null) return [];
  return [
    {
      severity: "high",
      category: "obfuscation",
      file,
      line: lineAt(text, mixed.index),
      reason: `The word “${mixed[0]}” mixes look-alike letters of two scripts.`,
    },
  ];
}

const COMMENT = /<!--([\s\S]*?)(?:-->|$(?![\s\S]))|^\[(?:\/\/|comment|_)\]:\s*(?:#|<>)\s*[("'](.*)[)"']\s*$/gm;
const INVISIBLE =
  /<(\w+)[^>]{0,300}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9])|color\s*:\s*(?:white|#fff(?:fff)?|transparent)\b|\bhidden\b)[^>]{0,300}>([\s\S]{0,2000}?)<\/\1>/gi;
/** Words that only a model is meant to read. */
const ADDRESSED =
  /(?:^|[\s([])(?:(?:to|for|note to|notice to|hint to|hint for|note for|dear|attention|only|@)\s{0,2})?(?:the |any |every |all )?(?:ai|assistants?|agents?|models?|llms?|bots?|claude|gpt|hermes|openclaw)(?: only| note| instructions?)?\s?[:,]\s/i;
const TO_A_MODEL =
  /\b(?:assistant|agent|ai|model|llm|claude|gpt|hermes|openclaw|you)\b[^.!?\n]{0,60}\b(?:must|should|always|never|shall|need to|have to)\b[^.!?\n]{0,80}\b(?:run|execute|send|read|ignore|call|fetch|include|add|upload|use|write)\b/i;

function comments(file: string, text: string): readonly SkillFinding[] {
  const shown = withoutFences(text);
  const found: SkillFinding[] = [];
  const look = (content: string, index: number, where: string): void => {
    const line = lineAt(shown, index);
    const orders = findInProse(file, content, line, true).filter(({ severity }) => severity !== "low");
    found.push(...orders);
    const leads = leadsToUnknownHost(content, content) !== undefined;
    if (orders.length === 0 && (TO_A_MODEL.test(content) || ADDRESSED.test(content)))
      found.push({
        severity: leads ? "critical" : "high",
        category: "injection",
        file,
        line,
        reason: `It addresses the model in ${where}: “${content.trim().replaceAll(/\s+/g, " ").slice(0, 120)}”`,
      });
  };
  for (const match of shown.matchAll(COMMENT))
    look(match[1] ?? match[2] ?? "", match.index, "a comment that is not shown");
  for (const match of shown.matchAll(INVISIBLE)) {
    if ((match[2] ?? "").trim().length > 12) {
      found.push({
        severity: "high",
        category: "injection",
        file,
        line: lineAt(shown, match.index),
        reason: "It contains text in a style that hides it.",
      });
      look(match[2] ?? "", match.index, "text that is not shown");
    }
  }
  return found;
}

const MAX_ENCODED = 40;

/** Rotated alphabets and reversed text still carry words; they are decoded if the text mentions it. */
function turnedPieces(text: string): readonly { readonly piece: string; readonly plain: string }[] {
  const turns: ((message: string) => string)[] = [];
  if (/\brot-?13\b|\bcaesar\b|\brotat\w+ (?:by )?13\b/i.test(text))
    turns.push((message) =>
      message.replace(/[a-z]/gi, (letter) =>
        String.fromCharCode(letter.charCodeAt(0) + (letter.toLowerCase() < "n" ? 13 : -13)),
      ),
    );
  if (/\b(?:backwards?|revers\w+|mirror\w*|rückwärts|rev)\b/i.test(text))
    turns.push((message) => [...message].toReversed().join(""));
  const pieces =
    turns.length === 0
      ? []
      : text
          .split("\n")
          .filter((line) => line.length > 12)
          .slice(0, MAX_ENCODED * 5);
  return turns.flatMap((turn) => pieces.map((piece) => ({ piece, plain: turn(piece) })));
}

const OTHER_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]{2}/u;

/** Base64, hex and the like, decoded and scanned again; only severe findings count. */
async function encoded(file: string, text: string): Promise<readonly SkillFinding[]> {
  const found: SkillFinding[] = [];
  for (const { piece, plain } of [...plainPieces(text, MAX_ENCODED), ...turnedPieces(text)]) {
    const line = lineAt(text, text.indexOf(piece));
    // A sentence of any script is nothing that was encoded for a shell.
    const code = plain.includes(" ") && !OTHER_SCRIPT.test(plain) ? await findInCode("encoded.sh", plain) : [];
    const grave = [...findInProse(file, plain), ...code].filter(
      ({ severity }) => severity === "critical" || severity === "high",
    );
    found.push(
      ...grave.map((one) => ({
        ...one,
        severity: "critical" as const,
        file,
        line,
        reason: `Encoded as “${piece.slice(0, 24)}…”: ${one.reason}`,
      })),
    );
  }
  return found;
}
