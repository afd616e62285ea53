import { makeVisible } from "../text/visible.ts";
import { COMMAND, findInCode } from "./code/code-findings.ts";
import { findInFiles } from "./file-findings.ts";
import { findInFrontmatter } from "./frontmatter-findings.ts";
import { findHidden } from "./hidden-findings.ts";
import { findInLinks } from "./link-findings.ts";
import { findInProse } from "./prose-findings.ts";
import { NOT_ASKED } from "./speech-acts.ts";
import { extensionOf, type SkillFile } from "./skill-file.ts";
import { bySeverity, type SkillFinding } from "./skill-finding.ts";

export interface SkillScan {
  /**
   * `dangerous`: one critical finding, or two severe unrelated ones. `caution`: something that the user should check
   * first.
   */
  readonly verdict: "safe" | "caution" | "dangerous";
  /** The gravest first; what is `medium` or `low` is worth knowing and changes no verdict. */
  readonly findings: readonly SkillFinding[];
}

const MARKDOWN = new Set(["md", "markdown", "mdx", "txt", "rst", "html", "htm", ""]);

/** More than any text for a model. */
const MAX_CHARS = 300_000;

/**
 * Judges what a skill would make the agent do, from its files alone: runs, fetches and follows nothing, and no file can
 * exclude itself. Commands and scripts of any language go through the judgement of commands.
 */
export async function scanSkill(files: readonly SkillFile[]): Promise<SkillScan> {
  const found: SkillFinding[] = [...findInFiles(files)];
  for (const file of files) {
    if (file.kind !== "text") continue;
    const { path } = file;
    // The line ends of Windows are line ends.
    const text = file.text.slice(0, MAX_CHARS).replaceAll("\r\n", "\n");
    if (file.text.length > MAX_CHARS)
      found.push({
        severity: "high",
        category: "structural",
        file: path,
        line: 0,
        reason: `It has ${file.text.length} characters; Hermes scanned ${MAX_CHARS}.`,
      });
    if (path === "SKILL.md" || path.endsWith("/SKILL.md")) found.push(...findInFrontmatter(path, text));
    found.push(
      ...(await findInCode(path, text)),
      ...findInProse(path, text),
      ...findInLinks(path, text),
      ...(await findHidden(path, text, MARKDOWN.has(extensionOf(path)))),
    );
  }
  // Loss or change that needs approval, with the order not to ask.
  const unasked = found.find(({ severity, reason }) => severity === "medium" && reason.startsWith(NOT_ASKED));
  if (unasked !== undefined && found.some(({ reason }) => reason.startsWith(COMMAND)))
    found.push({
      ...unasked,
      severity: "high",
      reason: `${unasked.reason}, and runs commands that need the user's approval`,
    });
  const findings = unique(found);
  const worst = findings[0]?.severity;
  return {
    verdict: worst === "critical" || independent(findings) > 1 ? "dangerous" : worst === "high" ? "caution" : "safe",
    findings,
  };
}

/**
 * The number of severe findings; each position and each kind counts once, so one sentence with two findings counts
 * once.
 */
function independent(findings: readonly SkillFinding[]): number {
  const grave = findings.filter(({ severity }) => severity === "high");
  return Math.min(
    new Set(grave.map(({ category }) => category)).size,
    new Set(grave.map(({ file, line }) => `${file}:${line}`)).size,
  );
}

function unique(findings: readonly SkillFinding[]): SkillFinding[] {
  const seen = new Map<string, SkillFinding>();
  for (const finding of findings) {
    const shown = { ...finding, reason: makeVisible(finding.reason) };
    const key = `${shown.file}\0${shown.category}\0${shown.reason}`;
    const before = seen.get(key);
    if (before === undefined || bySeverity(shown, before) < 0) seen.set(key, shown);
  }
  return onePerLine([...seen.values()].sort(bySeverity));
}

/** Two readers may see the same harm in one line: the graver, or the first, tells it. */
function onePerLine(findings: readonly SkillFinding[]): SkillFinding[] {
  const message = new Set<string>();
  return findings.filter(({ file, line, category, reason }) => {
    const key = `${file}\0${line}\0${category}`;
    if (line === 0 || reason.startsWith(COMMAND)) return true;
    if (message.has(key)) return false;
    message.add(key);
    return true;
  });
}
