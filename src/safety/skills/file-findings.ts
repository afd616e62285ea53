import { posix } from "node:path";
import { looksLikeToken } from "../secrets/token-runs.ts";
import { extensionOf, type SkillFile } from "./skill-file.ts";
import { lineAt, type Severity, type SkillFinding, type SkillThreat } from "./skill-finding.ts";

const MAX_FILES = 50;
const MAX_FILE_BYTES = 256 * 1024;
const MAX_BYTES = 1024 * 1024;
const MEDIA = new Set(
  "png jpg jpeg gif webp svg ico bmp tiff mp3 mp4 wav ogg webm mov ttf otf woff woff2 pdf".split(" "),
);

/** Findings about a skill's files, independent of their content. */
export function findInFiles(files: readonly SkillFile[]): readonly SkillFinding[] {
  const found = files.flatMap(findInFile);
  const add = (severity: Severity, reason: string): void =>
    void found.push({ severity, category: "structural", file: ".", line: 0, reason });
  const bytes = files.reduce((sum, file) => sum + ("bytes" in file ? file.bytes : 0), 0);
  if (bytes > MAX_BYTES) add("medium", `The skill has ${bytes} bytes; the limit is ${MAX_BYTES}.`);
  if (files.length > MAX_FILES) add("medium", `The skill has ${files.length} files; the limit is ${MAX_FILES}.`);
  if (files.some(({ path }) => /(^|\/)\.(?:skillignore|clawhubignore)$/.test(path)))
    add("low", "It lists files that scanners should skip; Hermes scanned them too.");
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
    found.push(at("critical", "traversal", "Its path leaves the skill's folder."));
  switch (file.kind) {
    case "unread":
      return [...found, at("high", "structural", `It ${file.why}, so it was not scanned.`)];
    case "link":
      return [
        ...found,
        ...linkFindings(path, file.target).map(([severity, reason]) => at(severity, "traversal", reason)),
      ];
    case "binary":
      if (file.format === "program")
        found.push(at("critical", "structural", "It is a program in machine code, which cannot be reviewed."));
      else if (file.format === "archive")
        found.push(at("high", "structural", "It is an archive, and its contents were not scanned."));
      else if (file.format === "unknown") found.push(at("high", "structural", "It is a binary file of unknown type."));
      return found;
    case "text":
      if (file.bytes > MAX_FILE_BYTES)
        found.push(at("medium", "structural", `It has ${file.bytes} bytes; the limit is ${MAX_FILE_BYTES}.`));
      if (MEDIA.has(extensionOf(path)) && extensionOf(path) !== "svg" && file.text.trim() !== "")
        found.push(
          at(
            /^#!|^\s*(?:import |const |function |curl |echo )/.test(file.text) ? "critical" : "high",
            "obfuscation",
            `Its name says image, sound or document, but it is text.`,
          ),
        );
      if (file.executable && !/^(?:scripts|bin)\//.test(path) && !/(?:^|\/)scripts\//.test(path))
        found.push(at("low", "structural", "It is executable but not in scripts/."));
      return [
        ...found,
        ...leakedKeys(file.text).map(({ index, what }) =>
          at("high", "credential_exposure", `It contains ${what}.`, lineAt(file.text, index)),
        ),
      ];
  }
}

function linkFindings(path: string, target: string): readonly (readonly [Severity, string])[] {
  const leads = posix.normalize(posix.join(posix.dirname(path), target));
  if (posix.isAbsolute(target) || leads === ".." || leads.startsWith("../"))
    return [["critical", `It is a link that leaves the skill's folder, to ${target}.`]];
  return [["low", `It is a link to ${target}.`]];
}

/** Keys that look real; those that guides use as an example do not. */
function leakedKeys(text: string): readonly { readonly index: number; readonly what: string }[] {
  const block = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*\n[A-Za-z0-9+/=\s]{200,}/.exec(text);
  const found = block === null ? [] : [{ index: block.index, what: "a private key" }];
  for (const line of text.split("\n")) {
    if (!looksLikeToken(line)) continue;
    const token =
      /\b(?:sk-|sk_live_|rk_live_|gh[pousr]_|github_pat_|glpat-|xox[bpars]-|AIza|AKIA|hf_|npm_|SG\.)[A-Za-z0-9_.-]{12,}/.exec(
        line,
      )?.[0];
    if (token !== undefined && looksReal(token))
      return [
        ...found,
        { index: text.indexOf(token), what: `a token that looks like a real key (${token.slice(0, 6)}…)` },
      ];
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
