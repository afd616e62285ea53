import type { Risk } from "../../contract/tools/approval.ts";
import type { Effect } from "../../contract/tools/effect.ts";
import { DANGEROUS_PATTERNS, HARMS, type HarmId } from "./risk/harms.ts";
import { isRunner } from "./rules.ts";
import type { CommandEffect } from "./risk/effect.ts";
import type { Finding } from "./risk/judge.ts";
import { hasMark, readable } from "./parse/marks.ts";
import type { Walk } from "./evaluate/walk.ts";
import { findDeception, makeVisible } from "../text/visible.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

export { DANGEROUS_PATTERNS };
export type { CommandEffect };

export interface CommandContext {
  readonly cwd: string;
  readonly home: string;
  /** Default: `.hermes` in the home. */
  readonly agentHome?: string;
  readonly platform?: "linux" | "darwin" | "win32";
  /**
   * Effects that cannot happen in this environment, whatever the text contains: they need no approval. Hard blocks
   * still apply.
   */
  held?(effect: CommandEffect): boolean;
}

export interface CommandJudgement {
  /** `block`: no setting, rule or person lets it run. */
  readonly answer: "allow" | "ask" | "block";
  /** The classes of harm, most serious first, joined by ` + `; empty when allowed. */
  readonly key: string;
  readonly reasons: readonly string[];
  readonly effects: readonly CommandEffect[];
  /**
   * Every simple command in it, as the shell would run it. Not all of them where the text could not be followed, which
   * always asks.
   */
  readonly lines: readonly string[];
  /** The work it took to judge, counted the same on every machine; about a microsecond each. */
  readonly steps: number;
  /** The strongest thing it does. */
  readonly effect: Effect;
  /** It only reads, by programs and options that are known to: it may run beside others. */
  readonly readOnly: boolean;
  /** The narrowest rule that "always" would store. */
  readonly rule?: string;
  /** The user whose rights it takes with `sudo` and the like: `root`, or a user's name. */
  readonly runsAs?: string;
}

const MAX_CHARS = 128_000;

const load = once(() => import("./evaluate/all-parts.ts"));

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

/**
 * Determines the effects of a shell command and whether it may run, from its text alone: runs nothing, reads no file
 * and no setting. Never rejects. Commands that it cannot follow (limits, malformed text, computed commands) need
 * approval; a readable hard block still blocks.
 */
export async function judgeCommand(command: string, context: CommandContext): Promise<CommandJudgement> {
  const { judgeEffect } = await load();
  const findings: Finding[] = [];
  const note = (harm: HarmId, reason: string): void => void findings.push({ answer: HARMS[harm].answer, harm, reason });
  const deception = findDeception(command);
  if (deception) note("deceptive", `The command ${deception.reason}.`);
  if (command.length > MAX_CHARS)
    note("parser-limit", `The command has ${command.length} characters; Hermes analyses only ${MAX_CHARS}.`);
  const { walker, later, broken } = await walk(command.slice(0, MAX_CHARS), context);
  for (const error of broken)
    note("malformed", `Cannot analyse the command: ${error instanceof Error ? error.message : String(error)}.`);
  for (const effect of walker.effects) {
    const found = judgeEffect(effect, context);
    findings.push(...(context.held?.(effect) === true ? found.filter(({ answer }) => answer === "block") : found));
  }
  for (const effect of later)
    for (const found of judgeEffect(effect, context)) findings.push({ ...found, answer: "ask" });
  return conclude(walker, findings);
}

interface Walked {
  readonly walker: Walk;
  /** Effects of functions that are never called. */
  readonly later: readonly CommandEffect[];
  readonly broken: readonly unknown[];
}

/**
 * Walks through every reading of the text; from the beginning again when a table of programs, or another part, turns
 * out to be needed.
 */
async function walk(command: string, context: CommandContext): Promise<Walked> {
  const { bash, Walk, programs, PartMissing } = await load();
  await Promise.all(programs.tablesNamed(command).map(programs.loadTable));
  for (;;) {
    const texts = readings(command);
    const walker = new Walk(bash, {
      home: context.home,
      cwd: context.cwd,
      platform: context.platform ?? "linux",
      share: 1 / texts.length,
    });
    const later: CommandEffect[] = [];
    const broken: unknown[] = [];
    for (const text of texts) {
      try {
        later.push(...walker.start(text));
      } catch (error) {
        broken.push(error);
      }
    }
    const missing = broken.find((error) => error instanceof PartMissing);
    if (missing === undefined) return { walker, later, broken };
    await missing.load();
  }
}

/**
 * The text itself and, if it contains characters that a shell or a terminal may drop, the text without them. Our own
 * marks would pass for unknowns.
 */
function readings(command: string): readonly string[] {
  const plain = hasMark(command) ? [...command].map((char) => (hasMark(char) ? "\uFFFD" : char)).join("") : command;
  const stripped = plain
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad\0]/g, "")
    .replace(/\r\n?/g, "\n");
  const compatible = /[^\x00-\x7f]/.test(stripped) ? stripped.normalize("NFKC") : stripped;
  return compatible === plain ? [plain] : [plain, compatible];
}

function conclude(
  { effects, lines, steps, onlyReads, runsAs }: Pick<Walk, "effects" | "lines" | "steps" | "onlyReads" | "runsAs">,
  findings: readonly Finding[],
): CommandJudgement {
  const sorted = [...findings].sort((a, b) => Number(b.answer === "block") - Number(a.answer === "block"));
  const harms = [...new Set(sorted.map((found) => found.harm))];
  const answer = sorted.length === 0 ? "allow" : sorted[0]!.answer;
  const message = strongest(effects);
  const effect = message === "read" && !onlyReads ? "execute" : message;
  const programs = new Set([...lines].map((line) => line.split(" ", 1)[0]));
  const rule = answer === "ask" && ![...lines].some(isRunner) ? ruleOf(sorted, harms, effects) : undefined;
  return {
    answer,
    key: harms.map((harm) => HARMS[harm].description).join(" + "),
    reasons: [...new Set(sorted.map((found) => sentence(found.reason, programs)))].slice(0, 20),
    effects,
    lines: [...lines],
    steps: Math.ceil(steps),
    effect,
    readOnly: answer === "allow" && effect === "read",
    rule,
    runsAs,
  };
}

/** A program at the beginning keeps its case: `git`, not `Git`. */
const sentence = (text: string, programs: ReadonlySet<string | undefined>): string => {
  const visible = makeVisible(text);
  const capital = programs.has(visible.split(" ", 1)[0])
    ? visible
    : visible.slice(0, 1).toUpperCase() + visible.slice(1);
  return capital.endsWith(".") ? capital : `${capital}.`;
};

function strongest(effects: readonly CommandEffect[]): Effect {
  let effect: Effect = "read";
  for (const one of effects) {
    if (one.kind === "read") continue;
    if (one.kind === "network") effect = effect === "read" || effect === "write" ? "network" : effect;
    else if (one.kind === "write" || one.kind === "delete" || one.kind === "mode" || one.kind === "owner")
      effect = effect === "read" ? "write" : effect;
    else return "execute";
  }
  return effect;
}

/**
 * One class, known places or a known program: that may be remembered. Anything wider is asked again, as is all that a
 * shell, an interpreter or a wrapper runs.
 */
function ruleOf(
  findings: readonly Finding[],
  harms: readonly HarmId[],
  effects: readonly CommandEffect[],
): string | undefined {
  const [harm] = harms;
  if (harms.length !== 1 || harm === undefined || !HARMS[harm].keep) return undefined;
  if (findings.every((found) => found.path !== undefined)) {
    const paths = findings.map((found) => found.path!);
    if (paths.some((path) => hasMark(path) || !path.startsWith("/"))) return undefined;
    const common = paths.reduce(commonDirectory);
    return common === "/" ? undefined : `${HARMS[harm].description} in ${common}`;
  }
  const found = effects.find((effect) => effect.kind === "harm" && effect.harm === harm);
  const words = found?.kind === "harm" ? found.what.split(/\s+/) : [];
  if (
    words.length < 1 ||
    found === undefined ||
    findings.some((one) => one.path !== undefined) ||
    !/^[a-z][\w.+-]*$/i.test(words[0]!)
  )
    return undefined;
  const verb = words.slice(1).find((word) => /^[a-z][a-z-]*$/i.test(word));
  return `${HARMS[harm].description}: ${words[0]}${verb === undefined ? "" : ` ${verb}`}`;
}

function commonDirectory(a: string, b: string): string {
  if (a === b) return a;
  const left = a.split("/");
  const right = b.split("/");
  let same = 0;
  while (same < left.length && left[same] === right[same]) same++;
  return left.slice(0, same).join("/") || "/";
}

/** The judgement as dispatch asks for it; undefined when the command may simply run. */
export function riskOfCommand(judgement: CommandJudgement): Risk | undefined {
  if (judgement.answer === "allow") return undefined;
  return definedFields({
    answer: judgement.answer,
    key: judgement.key,
    reasons: judgement.reasons,
    effects: describeEffects(judgement.effects),
    rule: judgement.rule,
  });
}

/** One line an effect, the grave ones first: `delete /srv/build (recursive)`. */
export function describeEffects(effects: readonly CommandEffect[]): readonly string[] {
  const lines = [
    ...new Set(
      [...effects]
        .sort((a, b) => rank(a) - rank(b))
        .map(describe)
        .filter((line) => line !== ""),
    ),
  ].map(makeVisible);
  return lines.length > 20 ? [...lines.slice(0, 19), `… and ${lines.length - 19} more`] : lines;
}

const ORDER: readonly CommandEffect["kind"][] = [
  "power",
  "fork bomb",
  "device",
  "delete",
  "harm",
  "mode",
  "owner",
  "write",
  "signal",
  "network",
  "execute",
  "read",
];
const rank = (effect: CommandEffect): number => ORDER.indexOf(effect.kind);

function describe(effect: CommandEffect): string {
  const place = (path: string | undefined): string =>
    readable(path ?? "…").replace("…container:", "in the container: ");
  switch (effect.kind) {
    case "execute":
      return `run ${effect.words.join(" ")}`;
    case "read":
      return effect.path ? `read ${place(effect.path)}${effect.recursive ? " (recursive)" : ""}` : "";
    case "write":
      return `${effect.how === "append" ? "append to" : effect.how === "edit" ? "change" : "write"} ${place(effect.path)}`;
    case "delete":
      return `delete ${place(effect.path)}${effect.recursive ? " (recursive)" : ""}`;
    case "mode":
      return `set mode ${readable(effect.mode)} on ${place(effect.path)}${effect.recursive ? " (recursive)" : ""}`;
    case "owner":
      return `give ${place(effect.path)} to ${readable(effect.owner)}${effect.recursive ? " (recursive)" : ""}`;
    case "device":
      return `${effect.action} device ${place(effect.path)}`;
    case "network":
      return `${effect.sends ? "send to" : "connect to"} ${effect.url || "the network"}`;
    case "signal":
      return `signal ${readable(effect.target)}${effect.force ? " (kill)" : ""}`;
    case "power":
      return `${readable(effect.action)}`;
    case "fork bomb":
      return "start endless processes";
    case "harm":
      return `${HARMS[effect.harm].description}: ${effect.what}`;
  }
}

/** The original's question: does the command need approval (or is it always blocked)? Undefined if not. */
export async function detectDangerousCommand(
  command: string,
  context: Partial<CommandContext> = {},
): Promise<{ readonly pattern: string; readonly description: string; readonly answer: "ask" | "block" } | undefined> {
  const judgement = await judgeCommand(command, { cwd: "/workspace", home: "/home/user", ...context });
  if (judgement.answer === "allow") return undefined;
  const description = judgement.key.split(" + ")[0]!;
  return {
    pattern: DANGEROUS_PATTERNS.find((row) => row.description === description)?.pattern ?? description,
    description,
    answer: judgement.answer,
  };
}
