import type { ParsedScript, SyntaxNode, Word, WordPart } from "unbash";
import type { Flow } from "../risk/effect.ts";
import type { ShellState } from "./state.ts";

/** The services that expansion needs from the walk through the script. */
export interface Expander {
  readonly home: string;
  /** Runs a substitution in a subshell of `state` and returns its output. */
  capture(script: ParsedScript | undefined, state: ShellState): Flow;
  /** A `<(…)` or `>(…)`: the path that stands for it. */
  process(part: WordPart & { type: "ProcessSubstitution" }, state: ShellState): string;
  /** Looks for commands in a part of the tree that expansion does not read. */
  sweep(node: SyntaxNode, state: ShellState): void;
  parseWord(text: string, state: ShellState): Word | undefined;
  /** A word as one string, and parts of one. */
  text(word: Word, state: ShellState): string;
  parts(parts: readonly WordPart[], state: ShellState): string;
  /** A value that is expanded a second time, so that substitutions in it run. */
  rerun(value: string, state: ShellState): void;
  /** More than the analysis is willing to follow. */
  overflow(): void;
}
