/**
 * `npm run prose`: counts words and sentence patterns that the project's English avoids, in user-visible text, docs,
 * comments, identifiers and test names. Exits with 1 above zero in user-visible text and docs, or above one a 1,000
 * lines in the rest. `npm run prose -- [--list] [PATH…]` lists every finding of the files whose path begins with one of
 * the paths. `npm run prose -- --texts [PATH…]` prints every user-visible text of these files, for a reader.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EXCEPTIONS } from "./prose/exceptions.ts";
import { readText, type TextKind, type TextPiece } from "./prose/read-text.ts";
import { NAME_WORDS, PROSE_RULES } from "./prose/word-list.ts";

const root = join(import.meta.dirname, "..");
const FILES = [
  "src/**/*.{ts,py}",
  "plugins/**/*.{ts,py,yaml,md}",
  "test/**/*.ts",
  "scripts/**/*.ts",
  "bench/**/*.ts",
  "examples/**/*.{ts,py,md,yaml}",
  "skills/**/*.md",
  "*.md",
  "docs/**/*.md",
];
/** Quotes the founding documents, and test names that the check reads in the tests themselves. */
const REQUIREMENTS_PAGE = "docs/reference/requirements.md";
const STRICT: ReadonlySet<TextKind> = new Set(["user-visible", "docs"]);
const PER_1000_LINES = 1;

interface Finding extends TextPiece {
  readonly word: string;
  readonly instead: string;
}

const words = process.argv.slice(2);
const paths = words.filter((word) => !word.startsWith("--"));
const isListed = words.includes("--list") || paths.length > 0;
const files = globSync(FILES, { cwd: root })
  .filter(
    (file) =>
      file !== REQUIREMENTS_PAGE &&
      !file.includes("zh-Hans") &&
      !file.startsWith("scripts/prose/") &&
      !file.endsWith("README.zh-Hans.md"),
  )
  .filter((file) => paths.length === 0 || paths.some((path) => file.startsWith(path)))
  .sort();
if (words.includes("--texts")) {
  const texts = files.flatMap((file) => readText(root, file)).filter(({ kind }) => kind === "user-visible");
  for (const { file, line, text } of texts) console.log(`${file}:${line}\t${text.replaceAll(/\s*\n\s*/g, " ")}`);
  process.exit(0);
}
let lines = 0;
const findings = files.flatMap((file) => {
  if (/\.(ts|py)$/.test(file)) lines += readFileSync(join(root, file), "utf8").split("\n").length;
  return readText(root, file).flatMap(findingsOf);
});
if (isListed)
  for (const { file, line, kind, word, instead, text } of findings)
    console.log(
      `${file}:${line} [${kind}] “${word}” → ${instead}\n    ${text.slice(0, 300).replaceAll(/\s*\n\s*/g, " ")}`,
    );

const strict = findings.filter(({ kind }) => STRICT.has(kind)).length;
const others = findings.length - strict;
const allowed = Math.floor((lines / 1000) * PER_1000_LINES);
for (const kind of ["user-visible", "docs", "comment", "identifier", "test name"] as const)
  console.log(`${kind}: ${findings.filter((finding) => finding.kind === kind).length}`);
console.log(
  `${strict} in user-visible text and docs (0 allowed), ${others} elsewhere (${allowed} allowed in ${lines} lines).`,
);
process.exitCode = strict > 0 || others > allowed ? 1 : 0;

function findingsOf(piece: TextPiece): readonly Finding[] {
  if (piece.kind === "identifier") {
    return nameWords(piece.text).flatMap((word) => {
      const instead = NAME_WORDS.get(word);
      return instead === undefined || isExcepted(piece, word) ? [] : [{ ...piece, word, instead }];
    });
  }
  const text = piece.text.replaceAll(/`[^`]*`/g, "`…`");
  return PROSE_RULES.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)]
      .filter(([found]) => !isExcepted(piece, found.trim()))
      .map(([found]) => ({ ...piece, word: found.trim().slice(0, 60), instead })),
  );
}

function isExcepted({ file, text }: TextPiece, word: string): boolean {
  return EXCEPTIONS.some(
    (one) =>
      file.startsWith(one.path) &&
      one.words.some((excepted) => excepted.toLowerCase() === word.toLowerCase() || excepted === text),
  );
}

function nameWords(name: string): readonly string[] {
  return name.split(/[_\-\s]|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
}
