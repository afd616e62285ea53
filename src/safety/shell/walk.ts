import type { Function as FunctionNode, ParsedScript, PipelineNode, Script, Statement, SyntaxNode, Word, WordPart } from "unbash";
import type { HarmId } from "../harms.ts";
import { boundedSource, MAX_SUBSTITUTIONS } from "./bounded-source.ts";
import { Budget, OverBudget } from "./budget.ts";
import type { Analyst, Call } from "./call.ts";
import { callFunction, type Running } from "./call-function.ts";
import { type CommandEffect, type Flow, INHERITED, join, NOTHING, UNSEEN } from "./effect.ts";
import { type Expander, expandParts, expandText } from "./expand.ts";
import { findGrave } from "./grave.ts";
import { readable, UNKNOWN } from "./marks.ts";
import { isNoise } from "./noise.ts";
import { findProgram } from "./programs.ts";
import { resolvePaths } from "./resolve-paths.ts";
import { execute, nested } from "./run-command.ts";
import { simpleCommand } from "./simple-command.ts";
import { runsItself } from "./starts-itself.ts";
import { startsItselfTwice, waits } from "./starts-without-end.ts";
import { fork, type ShellState, startState } from "./state.ts";
import { follow } from "./structure.ts";

const MAX_STEPS = 11_000;
/** Behind the limit, for the hardline commands that are written out. */
const GRAVE_STEPS = 2_000;
const MAX_NESTING = 120;
const MAX_EFFECTS = 200;
const MAX_TEXT = 20_000;
const MAX_TRAPS = 20;

export interface Bash {
  parse(source: string): ParsedScript;
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
}

export interface WalkOptions {
  readonly home: string;
  readonly cwd: string;
  readonly platform: "linux" | "darwin" | "win32";
  /** The part of the steps of one command that is for this reading of it. */
  readonly share: number;
}

/** Walks a parsed script in the order a shell would, keeps what the shell would know, and gathers what the script would do. */
export class Walk implements Analyst, Expander {
  readonly home: string;
  readonly platform: "linux" | "darwin" | "win32";
  effects: CommandEffect[] = [];
  /** Every simple command that was met, wrappers and what they wrap alike, quotes and variables resolved as far as the text allows. */
  readonly lines = new Set<string>();
  /** Functions being run, the innermost last. */
  readonly running: Running[] = [];
  /** How often a function called itself so far. */
  again = 0;
  readonly called = new Set<FunctionNode>();
  readonly defined = new Set<FunctionNode>();
  /** Background commands around the present one. */
  background = 0;
  /** Background commands that were started so far. */
  started = 0;
  /** Loops around the present command. */
  loops = 0;
  /** What was known where the present loop or function may have been left before its end. */
  readonly exits: { readonly by: string; readonly state: ShellState }[] = [];
  /** Every program so far was called in a way that is known to read only. */
  onlyReads = true;
  /** A decoder's output became part of the word that was expanded last. */
  decodedWord = false;
  /** Steps taken, of all readings. */
  steps = 0;
  private readonly bash: Bash;
  private readonly cwd: string;
  private readonly share: number;
  private seen = new Set<string>();
  private nesting = 0;
  private processes = 0;
  /** The scripts behind `>(…)`, by the path that stands for them. */
  private readonly sinks = new Map<string, Script>();

  constructor(bash: Bash, options: WalkOptions) {
    this.bash = bash;
    this.home = options.home;
    this.cwd = options.cwd;
    this.share = options.share;
    this.platform = options.platform;
  }

  /** The whole text. What only uncalled functions would do is returned apart: it may happen later. */
  start(text: string): readonly CommandEffect[] {
    const script = this.tree(text);
    const state = startState(this.cwd, this.home, new Budget(MAX_STEPS * this.share));
    const finished = this.within(state.budget, () => {
      this.checkErrors(script);
      this.list(script.commands, state, INHERITED);
      this.traps(state, 0);
    });
    if (!finished) this.lookForGrave(script);
    const certain = this.effects;
    this.effects = [];
    this.seen.clear();
    this.within(state.budget, () => {
      for (const body of this.defined) if (!this.called.has(body)) callFunction(body, undefined, fork(state), INHERITED, this);
    });
    const later = this.effects;
    this.effects = certain;
    return later;
  }

  /** Says whether it came to its end within its steps. */
  private within(budget: Budget, work: () => void): boolean {
    const before = budget.left;
    this.nesting = this.background = this.loops = this.running.length = this.exits.length = 0;
    try {
      work();
      return true;
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      this.overflow();
      return false;
    } finally {
      this.steps += before - budget.left;
    }
  }

  private lookForGrave(script: ParsedScript): void {
    const budget = new Budget(GRAVE_STEPS * this.share);
    for (const command of findGrave(script, this.bash.forEachChild, new Budget(GRAVE_STEPS))) {
      if (!this.within(budget, () => void simpleCommand(command, startState(this.cwd, this.home, budget), INHERITED, this))) return;
    }
  }

  // ── Analyst ──

  add(effect: CommandEffect): void {
    const key = JSON.stringify(effect);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    if (this.effects.length < MAX_EFFECTS) this.effects.push(effect);
    else this.effects[MAX_EFFECTS] ??= { kind: "harm", harm: "parser-limit", what: `more than ${MAX_EFFECTS} effects` };
    // The floor is looked for behind the cap as well.
    if (this.effects.length > MAX_EFFECTS && effect.kind !== "execute" && effect.kind !== "read" && this.effects.length < 2 * MAX_EFFECTS)
      this.effects.push(effect);
  }

  harm(harm: HarmId, what: string, path?: string): void {
    this.add({ kind: "harm", harm, what: readable(what.slice(0, 300)), ...(path === undefined ? {} : { path }) });
  }

  suspect(work: () => void): void {
    const { effects, seen, onlyReads } = this;
    this.effects = [];
    this.seen = new Set();
    work();
    const found = this.effects;
    Object.assign(this, { effects, seen, onlyReads });
    for (const effect of found) if (!isNoise(effect)) this.add(effect);
  }

  paths(text: string, state: ShellState): readonly string[] {
    return resolvePaths(text, state);
  }

  read(text: string, call: Call, options: { recursive?: boolean; shown?: boolean } = {}): void {
    const named = this.paths(text, call.state);
    const copied = call.state.copies.size === 0 ? [] : named.flatMap((path) => this.paths(call.state.copies.get(path) ?? path, call.state));
    for (const path of new Set([...named, ...copied]))
      this.add({ kind: "read", path, shown: options.shown ?? true, ...(options.recursive ? { recursive: true } : {}) });
  }

  write(text: string, call: Call, how: "create" | "append" | "edit" | "copy" = "create", content?: Flow): void {
    this.writeIn(text, call.state, how, content);
  }

  writeIn(text: string, state: ShellState, how: "create" | "append" | "edit" | "copy", content?: Flow): void {
    for (const path of this.paths(text, state)) {
      if (content) {
        state.files.set(path, content);
        this.feed(path, content, state);
      }
      if (HARMLESS_TARGETS.test(path)) continue;
      this.add({ kind: "write", path, how });
    }
  }

  remove(text: string, call: Call, options: { recursive: boolean; narrowed?: boolean; by?: string }): void {
    for (const path of this.paths(text, call.state))
      this.add({
        kind: "delete",
        path,
        recursive: options.recursive,
        by: options.by ?? call.program,
        ...(options.narrowed ? { narrowed: true } : {}),
      });
  }

  written(text: string, call: Call): Flow | undefined {
    for (const path of this.paths(text, call.state)) {
      const flow = call.state.files.get(path);
      if (flow) return flow;
    }
    return undefined;
  }

  network(url: string, sends = false): void {
    this.add({ kind: "network", url: readable(url), sends });
  }

  script(text: string, call: Call, options: { stdin?: Flow; same?: boolean; args?: readonly string[]; state?: ShellState } = {}): Flow {
    const state = options.state ?? (options.same ? call.state : fork(call.state));
    if (options.args) state.positional = options.args;
    // Another shell, here or elsewhere: what this one calls by a program's name is the program there.
    if (state !== call.state) for (const own of [state.functions, state.aliases]) for (const name of own.keys()) if (findProgram(name, this.platform)) own.delete(name);
    const before = state.later.length;
    const flow = nested(text, state, options.stdin ?? call.stdin, this);
    if (!options.same) this.traps(state, before);
    return flow;
  }

  /** At the end of a shell: what its traps run, with all that is known by then. */
  private traps(state: ShellState, from: number): void {
    const actions = state.later.splice(from);
    for (const action of actions.slice(0, MAX_TRAPS)) nested(action, fork(state), INHERITED, this);
    if (actions.length > MAX_TRAPS) this.overflow();
  }

  run(argv: readonly string[], call: Call, stdin: Flow = call.stdin, state: ShellState = call.state): Flow {
    return execute(argv, state, stdin, this, "program");
  }

  // ── Expander ──

  capture(script: ParsedScript | undefined, state: ShellState): Flow {
    if (!script) return UNSEEN;
    if (++this.nesting > MAX_SUBSTITUTIONS) throw new OverBudget();
    this.checkErrors(script);
    const flow = this.list(script.commands, fork(state), INHERITED);
    this.nesting--;
    if (flow.decoded) this.decodedWord = true;
    return flow;
  }

  process(part: WordPart & { type: "ProcessSubstitution" }, state: ShellState): string {
    const path = `/dev/fd/${63 + this.processes++}`;
    const script = part.script;
    if (!script) return path;
    if (++this.nesting > MAX_SUBSTITUTIONS) throw new OverBudget();
    this.checkErrors(script);
    if (part.operator === "<") state.files.set(path, { ...this.list(script.commands, fork(state), INHERITED), from: "pipe" });
    else {
      this.onlyReads = false;
      this.list(script.commands, fork(state), UNSEEN);
      this.sinks.set(path, script);
    }
    this.nesting--;
    return path;
  }

  feed(path: string, flow: Flow, state: ShellState): void {
    const script = this.sinks.get(path);
    if (script === undefined || flow.text === undefined) return;
    this.sinks.delete(path);
    this.list(script.commands, fork(state), flow);
  }

  sweep(node: SyntaxNode, state: ShellState): void {
    state.budget.spend(0.5);
    if (node.type === "CommandExpansion" || node.type === "ArithmeticCommandExpansion") this.capture(node.script, state);
    else if (node.type === "ProcessSubstitution") this.process(node, state);
    else this.bash.forEachChild(node, (child) => this.sweep(child, state));
  }

  text(word: Word, state: ShellState): string {
    return expandText(word, state, this);
  }

  parts(parts: readonly WordPart[], state: ShellState): string {
    return expandParts(parts, state, this);
  }

  parse(text: string, state: ShellState): ParsedScript {
    state.budget.spend(5 + text.length / 2);
    return this.tree(text);
  }

  private tree(text: string): ParsedScript {
    const source = boundedSource(text);
    if (source !== text) this.overflow();
    return this.bash.parse(source);
  }

  parseWord(text: string, state: ShellState): Word | undefined {
    const first = this.parse(`: ${text}`, state).commands[0]?.command;
    const word = first?.type === "Command" ? first.suffix[0] : undefined;
    return word?.type === "Word" ? word : undefined;
  }

  rerun(value: string, state: ShellState): void {
    if (/[`$\uE000-\uE00F]/.test(value)) this.harm("computed-command", `expands a value twice: ${value}`);
    nested(`: ${value}`, fork(state), INHERITED, this);
  }

  overflow(): void {
    this.harm("parser-limit", "more than the analysis follows");
  }

  /** A text that doubles itself is not followed for ever. */
  bounded(text: string): string {
    if (text.length <= MAX_TEXT) return text.length > 1 && text[0] === UNKNOWN && text[1] === UNKNOWN ? UNKNOWN : text;
    this.overflow();
    return UNKNOWN;
  }

  // ── Structure ──

  list(statements: readonly Statement[], state: ShellState, stdin: Flow): Flow {
    let out = NOTHING;
    if (startsItselfTwice(statements)) this.add({ kind: "fork bomb" });
    for (const statement of statements) {
      if (statement.background) {
        this.background++;
        this.started++;
        this.onlyReads = false;
        if (this.loops > 0 && runsItself(statement.command)) this.add({ kind: "fork bomb" });
        this.node(statement.command, fork(state), stdin);
        this.background--;
        out = UNSEEN;
      } else {
        if (waits(statement.command)) this.started = 0;
        out = join(out, this.node(statement.command, state, stdin));
      }
    }
    return out;
  }

  node(node: PipelineNode | SyntaxNode, state: ShellState, stdin: Flow): Flow {
    state.budget.spend(2);
    if (++this.nesting > MAX_NESTING) throw new OverBudget();
    state.status = undefined;
    const flow = follow(node, state, stdin, this);
    this.nesting--;
    return flow;
  }

  checkErrors(script: Script & { errors?: ParsedScript["errors"] }): void {
    if (script.errors && script.errors.length > 0) this.harm("malformed", `not valid shell text: ${script.errors[0]!.message}`);
  }

}

const HARMLESS_TARGETS = /^\/dev\/(null|zero|stdout|stderr|stdin|tty|fd\/\d+)$/;
