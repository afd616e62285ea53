import type {
  Function as FunctionNode,
  ParsedScript,
  PipelineNode,
  Script,
  Statement,
  SyntaxNode,
  Word,
  WordPart,
} from "unbash";
import { boundedSource, MAX_SUBSTITUTIONS } from "../parse/bounded-source.ts";
import { Budget, OverBudget } from "../parse/budget.ts";
import type { Call } from "./call.ts";
import { callFunction } from "./call-function.ts";
import { type CommandEffect, type Flow, INHERITED, join, NOTHING, UNSEEN } from "../risk/effect.ts";
import { expandParts, expandText } from "../parse/expand.ts";
import { Findings } from "../risk/findings.ts";
import { findGrave } from "../risk/grave.ts";
import { UNKNOWN } from "../parse/marks.ts";
import { picks } from "./picks.ts";
import { findProgram } from "../programs/program-tables.ts";
import { execute, nested } from "./run-command.ts";
import { simpleCommand } from "./simple-command.ts";
import { runsItself } from "./starts-itself.ts";
import { startsItselfTwice, waits } from "./starts-without-end.ts";
import { fork, type ShellState, startState } from "../parse/state.ts";
import { follow } from "./structure.ts";
import type { Running, Walker } from "./walker.ts";

const MAX_STEPS = 11_000;
/** Behind the limit, for the hardline commands that are written out. */
const GRAVE_STEPS = 2_000;
const MAX_NESTING = 120;
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

/**
 * Walks a parsed script in the order a shell would, keeps what the shell would know, and gathers what the script would
 * do.
 */
export class Walk extends Findings implements Walker {
  readonly home: string;
  readonly platform: "linux" | "darwin" | "win32";
  /**
   * Every simple command that was met, wrappers and what they wrap alike, quotes and variables resolved as far as the
   * text allows.
   */
  readonly lines = new Set<string>();
  /** Functions being run, the innermost last. */
  readonly running: Running[] = [];
  /** How often a function called itself so far. */
  again = 0;
  /** Files of the script that are being run, and how often they ran themselves. */
  readonly files = new Map<string, number>();
  readonly called = new Set<FunctionNode>();
  readonly defined = new Set<FunctionNode>();
  /** Background commands around the present one. */
  background = 0;
  /** Background commands that were started so far. */
  started = 0;
  /** Loops around the present command. */
  loops = 0;
  /** The state at each point where the current loop or function may have ended early. */
  readonly exits: { readonly by: string; readonly state: ShellState }[] = [];
  /** A decoder's output became part of the word that was expanded last. */
  decodedWord = false;
  /** Steps taken, of all readings. */
  steps = 0;
  private readonly bash: Bash;
  private readonly cwd: string;
  private readonly share: number;
  private nesting = 0;
  private processes = 0;
  /** The scripts behind `>(…)`, by the path that stands for them. */
  private readonly sinks = new Map<string, Script>();

  constructor(bash: Bash, options: WalkOptions) {
    super();
    this.bash = bash;
    this.home = options.home;
    this.cwd = options.cwd;
    this.share = options.share;
    this.platform = options.platform;
  }

  /** Walks the whole text. Returns the effects of functions that are never called: they may happen later. */
  start(text: string): readonly CommandEffect[] {
    const script = this.tree(text);
    const state = startState(this.cwd, this.home, new Budget(MAX_STEPS * this.share));
    const finished = this.within(state.budget, () => {
      this.checkErrors(script);
      const shown = this.list(script.commands, state, INHERITED);
      // Without a path that a rule could name: the user approves this output only.
      if (shown.secret === "archive") this.harm("secret-read", "prints an archive or a copy of stored secrets", "");
      this.traps(state, 0);
    });
    if (!finished) this.lookForGrave(script);
    const later: CommandEffect[] = [];
    const uncalled = (): void => {
      for (const body of this.defined)
        if (!this.called.has(body)) callFunction(body, undefined, fork(state), INHERITED, this);
    };
    this.apart(
      () => void this.within(state.budget, uncalled),
      (found) => void later.push(...found),
    );
    return later;
  }

  /** Says whether it came to its end within its steps. */
  private within(budget: Budget, work: () => void): boolean {
    const before = budget.left;
    this.nesting = this.background = this.loops = this.running.length = this.exits.length = 0;
    this.files.clear();
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
      if (
        !this.within(
          budget,
          () => void simpleCommand(command, startState(this.cwd, this.home, budget), INHERITED, this),
        )
      )
        return;
    }
  }

  script(
    text: string,
    call: Call,
    options: { stdin?: Flow; same?: boolean; args?: readonly string[]; state?: ShellState } = {},
  ): Flow {
    const state = options.state ?? (options.same ? call.state : fork(call.state));
    if (options.args) state.positional = options.args;
    // Another shell, here or elsewhere: what this one calls by a program's name is the program there.
    if (state !== call.state)
      for (const own of [state.functions, state.aliases])
        for (const name of own.keys()) if (findProgram(name, this.platform)) own.delete(name);
    const before = state.later.length;
    const flow = nested(text, state, options.stdin ?? call.stdin, this);
    if (!options.same) this.traps(state, before);
    return flow;
  }

  /** Runs in a subshell, which inherits all state, keeps its changes to itself and ends with its own traps. */
  inSubshell(state: ShellState, work: (inside: ShellState) => Flow): Flow {
    const inside = fork(state);
    const before = inside.later.length;
    const flow = work(inside);
    this.traps(inside, before);
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
    const flow = this.inSubshell(state, (inside) => this.list(script.commands, inside, INHERITED));
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
    if (part.operator === "<")
      state.files.set(path, {
        ...this.inSubshell(state, (inside) => this.list(script.commands, inside, INHERITED)),
        from: "pipe",
      });
    else {
      this.onlyReads = false;
      this.inSubshell(state, (inside) => this.list(script.commands, inside, UNSEEN));
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

  /** Does the loop something only to some of what it goes through? */
  picks(body: SyntaxNode, state: ShellState): boolean {
    return picks(body, this.bash.forEachChild, state.budget);
  }

  sweep(node: SyntaxNode, state: ShellState): void {
    state.budget.spend(0.5);
    if (node.type === "CommandExpansion" || node.type === "ArithmeticCommandExpansion")
      this.capture(node.script, state);
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
        this.inSubshell(state, (inside) => this.node(statement.command, inside, stdin));
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
    if (script.errors && script.errors.length > 0)
      this.harm("malformed", `not valid shell text: ${script.errors[0]!.message}`);
  }
}
