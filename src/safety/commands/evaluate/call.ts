import type { HarmId } from "../risk/harms.ts";
import type { CommandEffect, Flow } from "../risk/effect.ts";
import type { ShellState } from "../parse/state.ts";

/** One simple command with its words expanded, as the tables of programs see it. */
export interface Call {
  /** The program's name without its directory. */
  readonly program: string;
  readonly args: readonly string[];
  readonly stdin: Flow;
  readonly state: ShellState;
  readonly by: Analyst;
}

/**
 * The effects of a program: they go to `call.by`; the program's output is the result (undefined: something derived from
 * its input).
 */
export type Program = (call: Call) => Flow | void;

/** The interface for the program tables. */
export interface Analyst {
  readonly home: string;
  readonly platform: "linux" | "darwin" | "win32";
  add(effect: CommandEffect): void;
  harm(harm: HarmId, what: string, path?: string): void;
  /** Every absolute path the text may mean; it starts with a mark where the beginning is not known. */
  paths(text: string, state: ShellState): readonly string[];
  read(text: string, call: Call, options?: { readonly recursive?: boolean; readonly shown?: boolean }): void;
  write(text: string, call: Call, how?: "create" | "append" | "edit" | "copy", content?: Flow): void;
  remove(
    text: string,
    call: Call,
    options: { readonly recursive: boolean; readonly narrowed?: boolean; readonly by?: string },
  ): void;
  /** A link, or a mount: from now on the name stands for the place. */
  link(target: string, name: string, call: Call, mounted?: boolean): void;
  unlink(name: string, call: Call): void;
  /** Content that this script wrote to the file. */
  written(text: string, call: Call): Flow | undefined;
  /** Judges another command in the same place. */
  run(argv: readonly string[], call: Call, stdin?: Flow, state?: ShellState): Flow;
  /** Judges shell text as another shell would run it. */
  script(
    text: string,
    call: Call,
    options?: {
      readonly stdin?: Flow;
      readonly same?: boolean;
      readonly args?: readonly string[];
      readonly state?: ShellState;
    },
  ): Flow;
  /** Text that the shell evaluates although it looks like a name or a number: `a[$(…)]`. */
  rerun(text: string, state: ShellState): void;
  /** Checks text that may be a command or data: only harmful results count, and unreadable text is ignored. */
  suspect(work: () => void): void;
  network(url: string, sends?: boolean): void;
  /** The command runs with this user's rights. */
  takeRights(user: string, state: ShellState): void;
}
