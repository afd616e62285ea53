import type { ArithmeticFor, For, Select, While } from "unbash";
import { arithmetic } from "../parse/arithmetic.ts";
import { allBelow, derivedOr, type Flow, join, literal, NOTHING } from "../risk/effect.ts";
import { expandWord } from "../parse/expand.ts";
import {
  BRACKET,
  COMPUTED,
  EVERY_PROCESS,
  hasMark,
  holdsEveryProcess,
  MANY,
  QUESTION,
  REFERENCE,
  STAR,
  UNKNOWN,
} from "../parse/marks.ts";
import { namesProcesses } from "../programs/process-lists.ts";
import { loopStartsWithoutEnd } from "./starts-without-end.ts";
import { forgetAll, fork, merge, type ShellState } from "../parse/state.ts";
import type { Walker } from "./walker.ts";

/** Rounds over what is not known for certain. */
const MAX_UNSURE = 12;
/** Rounds of a loop that the text determines, and the steps they may take. */
const MAX_ROUNDS = 64;
const MAX_STEPS = 1200;

/** Passes over a body until nothing more is learnt from another one. */
const MAX_PASSES = 4;

/**
 * The rounds of one loop. While every round is certain, what they assign stays known. From then on (a `break`, a list
 * or a condition that only the running shell knows, too many rounds) only what is the same before and after a round is.
 */
class Rounds {
  private readonly state: ShellState;
  private readonly walk: Walker;
  private readonly limit: number;
  private count = 0;
  private certain: boolean;
  out = NOTHING;

  constructor(state: ShellState, walk: Walker, certain = true) {
    this.state = state;
    this.walk = walk;
    this.certain = certain;
    this.limit = state.budget.left - MAX_STEPS;
  }

  /** One more round is certain, and may be followed. */
  get room(): boolean {
    return this.certain && this.count < MAX_ROUNDS && this.state.budget.left > this.limit;
  }

  doubt(): void {
    this.certain = false;
  }

  /** Says whether it changed anything. */
  run(work: () => Flow): boolean {
    this.count++;
    const before = fork(this.state);
    const left = this.walk.exits.length;
    this.out = join(this.out, work());
    for (const exit of this.walk.exits.slice(left)) {
      this.certain = false;
      merge(this.state, exit.state);
    }
    if (!this.certain) merge(this.state, before);
    return !alike(this.state, before);
  }

  /** As many rounds as the running shell makes. */
  runOn(work: () => Flow): void {
    this.doubt();
    let passes = 0;
    while (this.run(work) || passes === 0) if (++passes >= MAX_PASSES) return forgetAll(this.state);
  }

  end(): Flow {
    this.state.status = undefined;
    return this.out;
  }
}

function alike(state: ShellState, before: ShellState): boolean {
  return (
    state.positional === before.positional &&
    state.variables.size === before.variables.size &&
    [...before.variables].every(([name, value]) => state.variables.get(name) === value)
  );
}

export function forEach(node: For | Select, state: ShellState, stdin: Flow, walk: Walker): Flow {
  const items = node.wordlist
    ? node.wordlist.flatMap((word) => expandWord(word, state, walk))
    : (state.positional ?? [UNKNOWN + MANY]);
  const some = items.some(ofEveryProcess) && walk.picks(node.body, state);
  const certain = node.type === "For" && !items.some(hasMark);
  const rounds = new Rounds(state, walk, certain);
  const name = node.name.value;
  const round = (value: string): void =>
    void rounds.run(() => {
      const own = state.variables.get(name);
      if (typeof own === "string" && own.startsWith(REFERENCE)) state.variables.set(name, REFERENCE + value);
      else
        state.variables.set(
          name,
          value === UNKNOWN + MANY || value === COMPUTED + MANY
            ? COMPUTED
            : ofEveryProcess(value)
              ? some
                ? value.replace(EACH_PROCESS, UNKNOWN)
                : value.replaceAll(MANY, "")
              : value,
        );
      return walk.list(node.body.commands, state, stdin);
    });
  let at = 0;
  while (at < items.length && (at < MAX_UNSURE - 1 || rounds.room)) round(items[at++]!);
  if (at < items.length) {
    rounds.doubt();
    for (const value of restOf(items.slice(at))) round(value);
  }
  return rounds.end();
}

/** `$(ps -eo pid=)`, `/proc/[0-9]*`: in one round it stands for one process after the other. */
const ofEveryProcess = (item: string): boolean => holdsEveryProcess(item) || namesProcesses(item);
const EACH_PROCESS = new RegExp(`[${EVERY_PROCESS}${STAR}${QUESTION}${BRACKET}${MANY}]+`, "g");

/**
 * Of the rounds that are too many one with nothing known, and those over short absolute paths, which may be system
 * directories.
 */
function restOf(items: readonly string[]): readonly string[] {
  return items.length === 1 ? items : [UNKNOWN, ...items.filter((item) => item.startsWith("/") && item.length < 20)];
}

export function countingLoop(node: ArithmeticFor, state: ShellState, stdin: Flow, walk: Walker): Flow {
  if (loopStartsWithoutEnd(node)) walk.add({ kind: "fork bomb" });
  if (node.initialize) arithmetic(node.initialize, state, walk);
  const rounds = new Rounds(state, walk);
  while (rounds.room) {
    const goesOn = node.test ? arithmetic(node.test, state, walk) : 1;
    if (goesOn === 0) return rounds.end();
    if (goesOn === undefined) break;
    rounds.run(() => walk.list(node.body.commands, state, stdin));
    if (node.update) arithmetic(node.update, state, walk);
  }
  rounds.runOn(() => {
    if (node.test) arithmetic(node.test, state, walk);
    const out = walk.list(node.body.commands, state, stdin);
    if (node.update) arithmetic(node.update, state, walk);
    return out;
  });
  return rounds.end();
}

export function repeat(node: While, state: ShellState, stdin: Flow, walk: Walker): Flow {
  if (loopStartsWithoutEnd(node)) walk.add({ kind: "fork bomb" });
  walk.loops++;
  const input = stdin.processes && walk.picks(node.body, state) ? { ...stdin, processes: false } : stdin;
  const flow =
    readsLines(node) && stdin.text !== undefined
      ? eachLine(node, allBelow(stdin) ?? stdin.text, state, stdin, walk)
      : whileTrue(node, state, input, walk);
  walk.loops--;
  return flow;
}

function whileTrue(node: While, state: ShellState, stdin: Flow, walk: Walker): Flow {
  const rounds = new Rounds(state, walk);
  while (rounds.room) {
    walk.list(node.clause.commands, state, stdin);
    if (state.status === undefined) break;
    if (state.status !== (node.kind === "while")) return rounds.end();
    // Nothing changes: it goes on like this.
    if (!rounds.run(() => walk.list(node.body.commands, state, stdin))) break;
  }
  rounds.runOn(() => {
    walk.list(node.clause.commands, state, stdin);
    return walk.list(node.body.commands, state, stdin);
  });
  return derivedOr(rounds.end(), stdin);
}

/** `while read …`, by lines. */
function readsLines(node: While): boolean {
  const [only, ...others] = node.clause.commands;
  const command = only?.command;
  return (
    node.kind === "while" &&
    others.length === 0 &&
    command?.type === "Command" &&
    command.name?.value === "read" &&
    command.redirects.length === 0 &&
    !command.args.some((arg) => /^-[a-z]*[dunNt]/.test(arg.text))
  );
}

function eachLine(node: While, text: string, state: ShellState, stdin: Flow, walk: Walker): Flow {
  const lines = text.split("\n");
  // A last line without an end is read, and then the loop is over.
  const whole = lines.pop() === "";
  const rounds = new Rounds(state, walk, !lines.some(hasMark));
  const round = (input: Flow, rest: Flow): void =>
    void rounds.run(() => {
      walk.list(node.clause.commands, state, input);
      return walk.list(node.body.commands, state, rest);
    });
  let at = 0;
  while (at < lines.length && (at < MAX_UNSURE - 1 || rounds.room)) {
    round(
      { ...stdin, text: `${lines[at]!}\n` },
      {
        ...stdin,
        text: lines
          .slice(at + 1)
          .map((line) => `${line}\n`)
          .join(""),
      },
    );
    at++;
  }
  if (at < lines.length || !whole) rounds.doubt();
  if (at < lines.length)
    for (const line of restOf(lines.slice(at)))
      round({ ...stdin, text: line === UNKNOWN ? undefined : `${line}\n` }, stdin);
  if (!whole) round({ ...stdin, text: `${text.slice(text.lastIndexOf("\n") + 1)}\n` }, literal(""));
  walk.list(node.clause.commands, state, literal("\n"));
  return rounds.end();
}
