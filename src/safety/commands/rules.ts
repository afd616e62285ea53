import type { Risk } from "../../contract/tools/approval.ts";
import { harmOf } from "./risk/harms.ts";

const OPERATORS = /[;&|<>$`(){}\n\r\\]/;
/** Shells, interpreters and wrappers: what they run is in their words, and the next time it may be anything. */
const RUNNERS = new Set(
  "sh bash zsh dash ksh fish csh tcsh python python2 python3 node nodejs deno bun perl ruby php lua awk gawk env sudo doas su xargs nohup timeout nice setsid busybox time command exec eval parallel watch script stdbuf npx uvx osascript powershell pwsh cmd".split(
    " ",
  ),
);
/** Others that can run a command, of which a glob would allow any. */
const CARRIERS = new Set("ssh docker podman kubectl find".split(" "));

/** Whether a command line begins with a shell, an interpreter or a wrapper. */
export function isRunner(line: string): boolean {
  return RUNNERS.has(programOf(line));
}

function programOf(line: string): string {
  const first = line.split(/\s/, 1)[0]!;
  return first.slice(first.lastIndexOf("/") + 1);
}

/**
 * Does a stored rule allow this risk? Reads our own rules (`recursive delete in /srv/build`, `git clean with force (…):
 * git clean`) and the entries of `command_allowlist`: a class's description, the exact command, or a glob over a
 * command without shell operators.
 * @param subject The command as shown to the user; without it, command entries do not match.
 */
export function ruleCovers(rule: string, risk: Risk, subject?: string): boolean {
  if (risk.answer === "block" || rule.trim() === "") return false;
  const text = ofOriginal(rule.trim());
  if (text === risk.key) return harmOf(risk.key)?.keep === true;
  if (risk.rule !== undefined && (text === risk.rule || coversPath(text, risk.rule))) return true;
  return subject !== undefined && commandMatches(text, subject.trim());
}

/** The original has several descriptions for one class, by how an option is spelt. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^recursive world\/other-writable \(long flag\)$/, "world/other-writable permissions"],
  [/^git force push short flag \(rewrites remote history\)$/, "git force push (rewrites remote history)"],
  [/^git branch force delete \(long flags(?:, force-first)?\)$/, "git branch force delete"],
  [/^force kill processes \(killall .*\)$/, "force kill processes"],
  [
    /^(?:copy\/move file into system config path|in-place edit of system config(?: \(long flag\))?|overwrite system file via (?:tee|redirection))$/,
    "overwrite system config",
  ],
  [/^(recursive delete|recursive chown to root) \(long flag\)$/, "$1"],
];

function ofOriginal(rule: string): string {
  const found = SPELLINGS.find(([spelling]) => spelling.test(rule));
  return found === undefined ? rule : rule.replace(...found);
}

/** Every class of a risk with several must be covered by some rule. */
export function rulesCover(rules: readonly string[], risk: Risk, subject?: string): boolean {
  if (rules.some((rule) => ruleCovers(rule, risk, subject))) return true;
  const classes = risk.key.split(" + ");
  return (
    risk.answer !== "block" &&
    classes.length > 1 &&
    classes.every((key) => rules.includes(key) && harmOf(key)?.keep === true)
  );
}

/** `<class> in <directory>` covers the same class further down. */
function coversPath(rule: string, wanted: string): boolean {
  const given = splitRule(rule);
  const asked = splitRule(wanted);
  if (!given || !asked || given.key !== asked.key || harmOf(given.key)?.keep !== true) return false;
  if (given.path === "/") return false;
  return asked.path === given.path || asked.path.startsWith(`${given.path}/`);
}

function splitRule(rule: string): { readonly key: string; readonly path: string } | undefined {
  const at = rule.lastIndexOf(" in /");
  if (at === -1) return undefined;
  const path = rule.slice(at + 4);
  if (path.split("/").includes("..")) return undefined;
  return { key: rule.slice(0, at), path: path.length > 1 ? path.replace(/\/+$/, "") : path };
}

/**
 * The exact command, or a glob over a single one without shell operators that begins with the name of a program which
 * runs no others.
 */
export function commandMatches(rule: string, subject: string): boolean {
  if (rule === subject) return true;
  if (!rule.includes("*") && !rule.includes("?")) return false;
  if (OPERATORS.test(subject) || OPERATORS.test(rule)) return false;
  if (/[*?]/.test(rule.split(/\s/, 1)[0]!) || isRunner(rule) || CARRIERS.has(programOf(rule))) return false;
  return matchesGlob(rule, subject);
}

/** The whole text, `*` for anything and `?` for one character. */
export function matchesGlob(pattern: string, text: string): boolean {
  // Two fingers, linear in practice: the last star is the only place to go back to.
  let p = 0;
  let star = -1;
  let mark = 0;
  for (let t = 0; t < text.length;) {
    if (p < pattern.length && (pattern[p] === "?" || (pattern[p] === text[t] && pattern[p] !== "*"))) {
      p++;
      t++;
    } else if (pattern[p] === "*") {
      star = p++;
      mark = t;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
