import { posix } from "node:path";
import { maskTokens } from "../secrets/token-runs.ts";
import { extensionOf, type SkillFile } from "./skill-file.ts";
import { lineAt, type Severity, type SkillFinding, type SkillThreat } from "./skill-finding.ts";

const MAX_FILES = 50;
const MAX_FILE_BYTES = 256 * 1024;
const MAX_BYTES = 1024 * 1024;
const MEDIA = new Set(
  "png jpg jpeg gif webp svg ico bmp tiff mp3 mp4 wav ogg webm mov ttf otf woff woff2 pdf".split(" "),
);

/** What a skill's files are, whatever stands in them. */
export function findInFiles(files: readonly SkillFile[]): readonly SkillFinding[] {
  const found = files.flatMap(findInFile);
  const add = (severity: Severity, reason: string): void =>
    void found.push({ severity, category: "structural", file: ".", line: 0, reason });
  const bytes = files.reduce((sum, file) => sum + ("bytes" in file ? file.bytes : 0), 0);
  if (bytes > MAX_BYTES) add("medium", `The skill has ${bytes} bytes, which is more than ${MAX_BYTES}.`);
  if (files.length > MAX_FILES) add("medium", `The skill has ${files.length} files, which is more than ${MAX_FILES}.`);
  if (files.some(({ path }) => /(^|\/)\.(?:skillignore|clawhubignore)$/.test(path)))
    add("low", "It lists files that are not to be looked at; they were looked at.");
  if (!files.some(({ path }) => path === "SKILL.md")) add("low", "It has no SKILL.md.");
  return found;
}

function findInFile(file: SkillFile): readonly SkillFinding[] {
  const { path } = file;
  const at = (severity: Severity, category: SkillThreat, reason: string, line = 0): SkillFinding => ({
    severity,
    category,
    file: path,
    line,
    reason,
  });
  const found: SkillFinding[] = [];
  if (posix.isAbsolute(path) || path.includes("\\") || posix.normalize(path) !== path || path.startsWith("../"))
    found.push(at("critical", "traversal", "Its name leads out of the skill's folder."));
  switch (file.kind) {
    case "unread":
      return [...found, at("high", "structural", `It ${file.why}, so it was not looked at.`)];
    case "link":
      return [
        ...found,
        ...linkFindings(path, file.target).map(([severity, reason]) => at(severity, "traversal", reason)),
      ];
    case "binary":
      if (file.format === "program")
        found.push(at("critical", "structural", "It is a program in machine code, which nobody can read."));
      else if (file.format === "archive")
        found.push(at("high", "structural", "It is an archive: what is in it was not looked at."));
      else if (file.format === "unknown")
        found.push(at("high", "structural", "It is binary and of no kind that is known."));
      return found;
    case "text":
      if (file.bytes > MAX_FILE_BYTES)
        found.push(at("medium", "structural", `It has ${file.bytes} bytes, which is more than ${MAX_FILE_BYTES}.`));
      if (MEDIA.has(extensionOf(path)) && extensionOf(path) !== "svg" && file.text.trim() !== "")
        found.push(
          at(
            /^#!|^\s*(?:import |const |function |curl |echo )/.test(file.text) ? "critical" : "high",
            "obfuscation",
            `It is named like a picture, a sound or a document and is text.`,
          ),
        );
      if (file.executable && !/^(?:scripts|bin)\//.test(path) && !/(?:^|\/)scripts\//.test(path))
        found.push(at("low", "structural", "It can be run and does not lie in scripts/."));
      return [
        ...found,
        ...leakedKeys(file.text).map(({ index, what }) =>
          at("high", "credential_exposure", `It holds ${what}.`, lineAt(file.text, index)),
        ),
      ];
  }
}

function linkFindings(path: string, target: string): readonly (readonly [Severity, string])[] {
  const leads = posix.normalize(posix.join(posix.dirname(path), target));
  if (posix.isAbsolute(target) || leads === ".." || leads.startsWith("../"))
    return [["critical", `It is a link that leads out of the skill's folder, to ${target}.`]];
  return [["low", `It is a link to ${target}.`]];
}

/** Keys that look real; those that guides use as an example do not. */
function leakedKeys(text: string): readonly { readonly index: number; readonly what: string }[] {
  const block = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*\n[A-Za-z0-9+/=\s]{200,}/.exec(text);
  const found = block === null ? [] : [{ index: block.index, what: "a private key" }];
  for (const line of text.split("\n")) {
    if (maskTokens(line) === line) continue;
    const token =
      /\b(?:sk-|sk_live_|rk_live_|gh[pousr]_|github_pat_|glpat-|xox[bpars]-|AIza|AKIA|hf_|npm_|SG\.)[A-Za-z0-9_.-]{12,}/.exec(
        line,
      )?.[0];
    if (token !== undefined && looksReal(token))
      return [...found, { index: text.indexOf(token), what: `what looks like a real key (${token.slice(0, 6)}…)` }];
  }
  return found;
}

function looksReal(token: string): boolean {
  if (
    /example|your|xxx|test|dummy|fake|placeholder|abc|1234|0000|\.\.\.|sample|redacted|insert|here|key/i.test(
      token.slice(3),
    )
  )
    return false;
  const body = token.replace(/^[A-Za-z_]+[-_]/, "");
  return new Set(body).size >= 12 && /\d/.test(body) && /[A-Za-z]/.test(body);
}
