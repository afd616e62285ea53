import type { Function as FunctionNode, ParsedScript, PipelineNode, Script, Statement, SyntaxNode } from "unbash";
import type { Expander } from "../parse/expander.ts";
import type { ShellState } from "../parse/state.ts";
import type { Flow } from "../risk/effect.ts";
import type { Findings } from "../risk/findings.ts";
import type { Analyst } from "./call.ts";

/** One function that is being run. */
export interface Running {
  readonly name: string;
  /** Background commands around it, and those that were started before it. */
  readonly background: number;
  readonly started: number;
  readonly args: readonly string[] | undefined;
  /** It is judged with nothing known, for every call that is not followed. */
  readonly widened: boolean;
}

/**
 * The walk through a script, as the files see it that follow one kind of node each. `Walk` implements it and calls
 * them.
 */
export interface Walker extends Findings, Analyst, Expander {
  read: Findings["read"];
  remove: Findings["remove"];
  readonly platform: "linux" | "darwin" | "win32";
  /**
   * Every simple command that was met, wrappers and what they wrap alike, quotes and variables resolved as far as the
   * text allows.
   */
  readonly lines: Set<string>;
  /** Functions being run, the innermost last. */
  readonly running: Running[];
  /** How often a function called itself so far. */
  again: number;
  /** Files of the script that are being run, and how often they ran themselves. */
  readonly files: Map<string, number>;
  readonly called: Set<FunctionNode>;
  readonly defined: Set<FunctionNode>;
  /** Background commands around the present one. */
  background: number;
  /** Background commands that were started so far. */
  started: number;
  /** Loops around the present command. */
  loops: number;
  /** The state at each point where the current loop or function may have ended early. */
  readonly exits: { readonly by: string; readonly state: ShellState }[];
  /** A decoder's output became part of the word that was expanded last. */
  decodedWord: boolean;
  /** Runs in a subshell, which inherits all state, keeps its changes to itself and ends with its own traps. */
  inSubshell(state: ShellState, work: (inside: ShellState) => Flow): Flow;
  /** Does the loop something only to some of what it goes through? */
  picks(body: SyntaxNode, state: ShellState): boolean;
  parse(text: string, state: ShellState): ParsedScript;
  /** A text that doubles itself is not followed for ever. */
  bounded(text: string): string;
  list(statements: readonly Statement[], state: ShellState, stdin: Flow): Flow;
  node(node: PipelineNode | SyntaxNode, state: ShellState, stdin: Flow): Flow;
  checkErrors(script: Script & { errors?: ParsedScript["errors"] }): void;
}
