import { interactiveProgram } from "./interactive-program.ts";
import type { Command, ParsedScript, Pipeline, Redirected, Statement } from "unbash";

/** Properties of the parsed command that determine how to run it. */
export interface CommandShape {
  /** Why it must run in the background; `undefined` if it need not. */
  readonly background: string | undefined;
  /** Whether it may change its shell: directory, variables, functions, options. */
  readonly changesShell: boolean;
  /** Whether a shell reads its input as commands. */
  readonly runsShell: boolean;
  /** Why it would wait for a user at a terminal, and an alternative; `undefined` if it would not. */
  readonly interactive: string | undefined;
  /** Positions of each `sudo` that may ask for a password. */
  readonly sudo: readonly { readonly from: number; readonly to: number }[];
  /** Program of the last command, whose exit status is the status of all. */
  readonly last: string | undefined;
}

const UNKNOWN: CommandShape = {
  background: undefined,
  changesShell: true,
  runsShell: true,
  interactive: undefined,
  sudo: [],
  last: undefined,
};
const DETACHING = new Set(["nohup", "disown", "setsid"]);
const WRAPPERS = new Set([
  "command",
  "builtin",
  "env",
  "time",
  "nice",
  "ionice",
  "stdbuf",
  "exec",
  "sudo",
  "doas",
  "npx",
  "bunx",
  "timeout",
]);
const SUDO_WRAPPERS = new Set(["command", "env", "time", "nice", "ionice", "stdbuf", "exec", "timeout"]);
const STATE_CHANGING = new Set(
  "cd pushd popd dirs export declare typeset local readonly unset set shopt alias unalias source . eval exec exit return trap umask ulimit hash enable read mapfile readarray getopts shift wait bg fg disown complete let".split(
    " ",
  ),
);
const SHELLS = new Set([
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
  "fish",
  "ssh",
  "su",
  "sudo",
  "docker",
  "podman",
  "kubectl",
  "nsenter",
  "chroot",
]);

let loading: Promise<{ readonly parse: (text: string) => ParsedScript }> | undefined;

export async function shapeOf(command: string): Promise<CommandShape> {
  const { parse } = await (loading ??= import("unbash"));
  return readShape(parse(command));
}

function readShape(script: ParsedScript): CommandShape {
  if ((script.errors?.length ?? 0) > 0) return UNKNOWN;
  const { all, inShellItself } = nodesOf(script);
  const commands = all.filter((node): node is Command => node.type === "Command");
  const words = commands.map(wordsOf);
  const waits = words.some(([name]) => name === "wait");
  return {
    background: advice(all, words, waits),
    changesShell: inShellItself.some(changesShell),
    runsShell: words.some(([name = ""]) => SHELLS.has(baseName(name))),
    interactive: all.flatMap((node) =>
      node.type === "Command" ? (interactiveIn(node as Command, fed(node as Command, all)) ?? []) : [],
    )[0],
    sudo: commands.flatMap((node) => sudoIn(node) ?? []).sort((a, b) => a.from - b.from),
    last: lastProgram(script),
  };
}

function interactiveIn(command: Command, given: boolean): string | undefined {
  const words = wordsOf(command);
  // An explicitly set editor is assumed to be non-interactive.
  const named = [...command.prefix.map((part) => ("text" in part ? String(part.text) : "")), ...words].some((word) =>
    /^(GIT_)?(SEQUENCE_)?(EDITOR|VISUAL)=/.test(word),
  );
  return words.length === 0 || named ? undefined : interactiveProgram(withoutWrappers(words), given);
}

/** Whether it has input: by its own or an enclosing redirect, or from a pipeline. */
function fed(command: Command, all: readonly Node[]): boolean {
  const within = (node: { readonly pos: number; readonly end: number }) =>
    node.pos <= command.pos && command.end <= node.end;
  return all.some((node) => {
    if (node.type === "Pipeline") return (node as Pipeline).commands.slice(1).some(within);
    return (
      (node === command || node.type === "Redirected") &&
      within(node as Redirected) &&
      (node as Redirected).redirects.some(
        ({ type, ...redirect }) =>
          type !== "Redirect" || ("operator" in redirect && String(redirect.operator).startsWith("<")),
      )
    );
  });
}

/**
 * The word `sudo` of a command, also after `time`, `env A=1` and similar; not if it specifies how it gets its password.
 */
function sudoIn(command: Command): { readonly from: number; readonly to: number } | undefined {
  const words = command.name === undefined ? [] : [command.name, ...command.args];
  const values = words.map((word) => (word.type === "Word" ? word.value : ""));
  const at = values.length - withoutWrappers(values, SUDO_WRAPPERS).length;
  const word = words[at];
  if (word?.type !== "Word" || baseName(word.value) !== "sudo" || word.text !== word.value) return undefined;
  const options = values.slice(at + 1);
  const end = options.findIndex((option) => !option.startsWith("-"));
  const own = options.slice(0, end === -1 ? options.length : end);
  // Alone, these options clear sudo's cached credentials, which needs no password.
  if (end === -1 && own.length > 0 && own.every((option) => /^(-[kK]|--(reset|remove)-timestamp)$/.test(option)))
    return undefined;
  if (
    own.some(
      (option) => /^-[a-zA-Z]*[nSAVh]/.test(option) || /^--(non-interactive|stdin|askpass|version|help)$/.test(option),
    )
  )
    return undefined;
  return { from: word.pos, to: word.end };
}

function changesShell(node: Node): boolean {
  if (node.type === "Statement") return (node as Statement).background === true;
  if (node.type !== "Command")
    return node.type === "Function" || node.type === "Coproc" || node.type === "ArithmeticCommand";
  const { name, prefix } = node as Command;
  return name === undefined ? prefix.some((part) => part.type === "Assignment") : STATE_CHANGING.has(name.value);
}

function advice(all: readonly Node[], commands: readonly string[][], waits: boolean): string | undefined {
  for (const words of commands) {
    const [program = ""] = words;
    if (DETACHING.has(program)) return `\`${program}\` detaches the command from Hermes`;
    const server = longLived(withoutWrappers(words));
    if (server !== undefined) return `\`${server}\` does not exit on its own`;
  }
  if (!waits && all.some((node) => node.type === "Statement" && (node as Statement).background === true))
    return "`&` leaves an unmanaged command behind";
  return undefined;
}

/** The command as written, if it serves or watches until it is stopped. */
function longLived(words: readonly string[]): string | undefined {
  if (words.some((word) => ["--help", "-h", "--version", "-v"].includes(word))) return undefined;
  const [path = "", first, second] = words;
  const program = baseName(path);
  const rest = words.slice(1);
  const shown = words.slice(0, 4).join(" ");
  if (["npm", "pnpm", "yarn", "bun"].includes(program)) {
    const script = first === "run" || first === "run-script" ? second : first;
    return ["dev", "start", "serve", "watch"].includes(script ?? "") ? shown : undefined;
  }
  if ((program === "docker" || program === "podman") && first === "compose")
    return rest.includes("up") && !detached(rest) ? shown : undefined;
  if (program === "docker-compose") return rest.includes("up") && !detached(rest) ? shown : undefined;
  if (program === "next") return first === "dev" || first === "start" ? shown : undefined;
  if (program === "vite")
    return first === undefined || first.startsWith("-") || ["dev", "serve", "preview"].includes(first)
      ? shown
      : undefined;
  if (["nodemon", "uvicorn", "gunicorn", "hypercorn"].includes(program)) return shown;
  if (/^python[\d.]*$/.test(program)) {
    const module = rest[rest.indexOf("-m") + 1];
    return rest.includes("-m") && ["http.server", "uvicorn", "gunicorn"].includes(module ?? "") ? shown : undefined;
  }
  return undefined;
}

function detached(words: readonly string[]): boolean {
  return words.includes("-d") || words.includes("--detach") || words.includes("--wait");
}

function withoutWrappers(words: readonly string[], wrappers: ReadonlySet<string> = WRAPPERS): readonly string[] {
  let at = 0;
  while (
    at < words.length &&
    (wrappers.has(baseName(words[at]!)) ||
      (at > 0 &&
        (words[at]!.startsWith("-") || /^[A-Za-z_]\w*=/.test(words[at]!) || /^\d+(\.\d+)?[smhd]?$/.test(words[at]!))))
  )
    at += 1;
  return words.slice(at);
}

function wordsOf(command: Command): string[] {
  if (command.name === undefined) return [];
  return [command.name.value, ...command.args.map((word) => (word.type === "Word" ? word.value : word.text))];
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function lastProgram(script: ParsedScript): string | undefined {
  let node: unknown = script.commands.at(-1)?.command;
  for (let depth = 0; depth < 50; depth += 1) {
    const found = node as { readonly type?: string; readonly commands?: readonly unknown[] } | undefined;
    if (found?.type === "AndOr" || found?.type === "Pipeline") node = found.commands?.at(-1);
    else if (found?.type === "Command")
      return baseName(withoutWrappers(wordsOf(found as unknown as Command))[0] ?? "") || undefined;
    else return undefined;
  }
  return undefined;
}

interface Node {
  readonly type: string;
}

const INSIDE_WORDS = new Set(["Word", "Redirect", "HereDoc", "HereString", "Assignment"]);

/**
 * All command nodes of the tree, and those that run in the shell itself rather than in a subshell. Ignores nodes inside
 * words.
 */
function nodesOf(root: Node): { readonly all: readonly Node[]; readonly inShellItself: readonly Node[] } {
  const all: Node[] = [];
  const inShellItself: Node[] = [];
  const visit = (value: unknown, copied: boolean): void => {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) visit(item, copied);
      return;
    }
    if (!("type" in value) || INSIDE_WORDS.has((value as Node).type)) return;
    const node = value as Node;
    const inCopy =
      copied || node.type === "Subshell" || (node.type === "Pipeline" && (node as Pipeline).commands.length > 1);
    all.push(node);
    if (!inCopy) inShellItself.push(node);
    for (const child of Object.values(node)) visit(child, inCopy);
  };
  visit(root, false);
  return { all, inShellItself };
}
