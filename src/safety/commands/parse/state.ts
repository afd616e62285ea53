import { posix } from "node:path";
import type { Function as FunctionNode } from "unbash";
import type { Budget } from "./budget.ts";
import type { Flow } from "../risk/effect.ts";
import { COMPUTED, UNKNOWN } from "./marks.ts";

/** The value of a parameter: one text, or the items of an array. */
export type Value = string | readonly string[];

/** The known state of the shell at one point of the script. */
export interface ShellState {
  /** Directories the shell may be in; `undefined` is an unknown one. */
  cwds: readonly (string | undefined)[];
  variables: Map<string, Value>;
  /** Variables that programs get to see. */
  readonly exported: Set<string>;
  /** `$1` …; undefined when unknown. */
  positional: readonly string[] | undefined;
  /** Whether the command before succeeded, where the text says so. */
  status?: boolean;
  /** Values before the running function declared these names as local. */
  locals?: Map<string, Value | undefined>;
  functions: Map<string, FunctionNode>;
  aliases: Map<string, string>;
  /** Files this very script wrote, by absolute path: what is in them and where it came from. */
  files: Map<string, Flow>;
  /** Commands of traps, which may run at any time. Shared by all states of one analysis. */
  readonly later: string[];
  /** Shared by all states of one analysis. */
  readonly budget: Budget;
  /** Nested interpreters so far. */
  depth: number;
  /** The commands run with another user's rights: `sudo`, `pkexec`. */
  root?: boolean;
  /** The words may be no command: an unknown program then proves nothing. */
  guessed?: boolean;
  /** Copies of and links to programs that this very script made, by absolute path: what is run when they are. */
  readonly copies: Map<string, string>;
  /** Regular files that this very script made to hold an image. */
  readonly made: Set<string>;
  /** Directories that this very script filled from the network. */
  readonly fetched: Set<string>;
  /** Every file of a list is handed to the command, which is what a delete in it is then called. */
  readonly eachFile?: "find-rm" | "xargs-rm";
  /**
   * The path the surroundings see as `/` of a container, when the command runs in one of whose mounts the text tells.
   */
  mounts?: readonly { readonly inside: string; readonly outside: string }[];
}

export function startState(cwd: string, home: string, budget: Budget): ShellState {
  return {
    cwds: [cwd],
    variables: new Map<string, string>([
      ["HOME", home],
      ["PWD", cwd],
      ["IFS", " \t\n"],
      ["USER", posix.basename(home)],
      ["LOGNAME", posix.basename(home)],
      ["SHELL", "/bin/bash"],
      ["BASH", "/bin/bash"],
      ...METADATA,
    ]),
    exported: new Set([
      "HOME",
      "USER",
      "LOGNAME",
      "PWD",
      "SHELL",
      "PATH",
      "IFS",
      "0",
      ...METADATA.map(([name]) => name),
    ]),
    positional: undefined,
    functions: new Map(),
    aliases: new Map(),
    files: new Map(),
    later: [],
    budget,
    depth: 0,
    copies: new Map(),
    fetched: new Set(),
    made: new Set(),
  };
}

/** Where containers in a cloud ask for their credentials. */
const METADATA = ["ECS_CONTAINER_METADATA_URI", "ECS_CONTAINER_METADATA_URI_V4"].map(
  (name) => [name, "http://169.254.170.2/v4"] as const,
);

/** Variables that every script finds set. */
const START_NAMES: ReadonlySet<string> = new Set([
  "HOME",
  "PWD",
  "IFS",
  "USER",
  "LOGNAME",
  "SHELL",
  "BASH",
  ...METADATA.map(([name]) => name),
]);

/** For a subshell: it knows everything, and what it changes stays with it. */
export function fork(state: ShellState): ShellState {
  state.budget.spend(1 + size(state) / 8);
  return {
    ...state,
    variables: new Map(state.variables),
    functions: new Map(state.functions),
    aliases: new Map(state.aliases),
    exported: new Set(state.exported),
    files: state.files,
  };
}

/** The state that a shell program starts with: the exported variables, no functions, no aliases. */
export function childShell(state: ShellState, args: readonly string[]): ShellState {
  const inside = fork(state);
  for (const name of state.variables.keys()) if (!state.exported.has(name)) inside.variables.delete(name);
  inside.functions.clear();
  inside.aliases.clear();
  inside.positional = args;
  return inside;
}

/** `local x`: the function's own, until it ends. */
export function ownName(name: string, state: ShellState): void {
  if (state.locals && !state.locals.has(name)) state.locals.set(name, state.variables.get(name));
}

/** Nothing that the script set is known any more. */
export function forgetAll(state: ShellState): void {
  for (const name of state.variables.keys()) if (!START_NAMES.has(name)) state.variables.set(name, COMPUTED);
  state.cwds = [undefined];
}

/** A name that the script has unset: as empty as an empty list. */
export const UNSET: readonly string[] = [];

/** After a branch that may or may not have run: only what both agree on is still known. */
export function merge(into: ShellState, other: ShellState): void {
  into.budget.spend(1 + size(other) / 8);
  const cwds = new Set([...into.cwds, ...other.cwds]);
  into.cwds = cwds.size > 6 ? [undefined] : [...cwds];
  for (const [name, value] of other.variables) {
    const mine = into.variables.get(name);
    if (mine === undefined) into.variables.set(name, value);
    else if (mine !== value && !same(mine, value)) into.variables.set(name, UNKNOWN);
  }
  for (const [name, body] of other.functions) if (!into.functions.has(name)) into.functions.set(name, body);
  for (const [name, text] of other.aliases) into.aliases.set(name, text);
  if (into.positional !== other.positional) into.positional = undefined;
}

/** Takes over everything of `other`. */
export function become(into: ShellState, other: ShellState): void {
  into.cwds = other.cwds;
  into.variables = other.variables;
  into.functions = other.functions;
  into.aliases = other.aliases;
  into.positional = other.positional;
}

function same(a: string | readonly string[], b: string | readonly string[]): boolean {
  return typeof a !== "string" && typeof b !== "string" && a.length === b.length && a.every((item, i) => item === b[i]);
}

const size = (state: ShellState): number => state.variables.size + state.functions.size + state.aliases.size;

/**
 * A conditional command may not have made its assignments. The directory stays: the commands after it ran only if it
 * did.
 */
export function keepVariables(state: ShellState, before: ShellState): void {
  state.budget.spend(1 + size(before) / 8);
  for (const [name, value] of before.variables) {
    const now = state.variables.get(name);
    if (now !== undefined && now !== value && typeof now === "string" && name !== "PWD")
      state.variables.set(name, UNKNOWN);
  }
}
