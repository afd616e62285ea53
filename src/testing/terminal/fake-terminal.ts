import { posix } from "node:path";
import { ToolFailure } from "../../contract/common/failure.ts";
import type {
  FileStat,
  Process,
  RunOptions,
  RunResult,
  Terminal,
  TerminalBackend,
  TerminalFiles,
} from "../../contract/providers/terminal.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

export interface FakeTerminalOptions {
  /** The behaviour of a command; `undefined` is a command that does not exist. Default: none exists. */
  readonly run?: (
    command: string,
    options: RunOptions,
  ) => Partial<RunResult> | undefined | Promise<Partial<RunResult> | undefined>;
  /** The output so far of a background command, and how it ended. Default: none, and it runs on. */
  readonly spawn?: (command: string) => { readonly output?: string; readonly exitCode?: number };
  /** Absolute path → content. */
  readonly files?: { readonly [path: string]: string | Uint8Array };
  readonly cwd?: string;
  readonly isolated?: boolean;
}

export interface FakeTerminal extends TerminalBackend {
  /** Every command, in order, and the terminal it ran in. */
  readonly commands: readonly {
    readonly key: string;
    readonly command: string;
    readonly beside: boolean;
    readonly cwd: string;
  }[];
  /** A file's text, `undefined` if there is no such file. */
  text(path: string): string | undefined;
}

/** A terminal without processes: files in memory, commands as you say. All keys see the same files. */
export function fakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  const root = options.cwd ?? "/work";
  const files = new Map<string, StoredFile>();
  let time = 1_000;
  const put = (path: string, bytes: Uint8Array) =>
    void files.set(path, { bytes: Uint8Array.from(bytes), modifiedMs: ++time, mode: files.get(path)?.mode ?? 0o644 });
  for (const [path, content] of Object.entries(options.files ?? {})) put(path, Buffer.from(content as string));
  const commands: { key: string; command: string; beside: boolean; cwd: string }[] = [];
  const terminals = new Map<string, Terminal>();

  function open(key: string, start: string): Terminal {
    const cwd = start;
    return {
      key,
      cwd,
      async run(command, run) {
        const none: RunResult = {
          endedBy: "exit",
          exitCode: 127,
          output: `sh: ${command.split(" ")[0]}: not found\n`,
          omittedBytes: 0,
          durationMs: 0,
        };
        if (run.signal.aborted) return { endedBy: "cancelled", output: "", omittedBytes: 0, durationMs: 0 };
        commands.push({ key, command, beside: run.beside === true, cwd: run.cwd ?? cwd });
        const given = await options.run?.(command, run);
        return given === undefined
          ? none
          : {
              endedBy: "exit",
              output: "",
              omittedBytes: 0,
              durationMs: 0,
              ...definedFields({ exitCode: (given.endedBy ?? "exit") === "exit" ? 0 : undefined }),
              ...given,
            };
      },
      async spawn(command, spawn) {
        commands.push({ key, command, beside: true, cwd: spawn.cwd ?? cwd });
        return fakeProcess(options.spawn?.(command) ?? {}, commands.length);
      },
      files: memoryFiles(files, cwd, put),
      async [Symbol.asyncDispose]() {
        terminals.delete(key);
      },
    };
  }

  return {
    id: "fake",
    isolated: options.isolated ?? false,
    commands,
    text: (path) => (files.has(path) ? Buffer.from(files.get(path)!.bytes).toString("utf8") : undefined),
    async open({ key, cwd }) {
      const known = terminals.get(key) ?? open(key, cwd ?? root);
      terminals.set(key, known);
      return known;
    },
    async [Symbol.asyncDispose]() {
      terminals.clear();
    },
  };
}

interface StoredFile {
  readonly bytes: Uint8Array;
  readonly modifiedMs: number;
  readonly mode: number;
}

function memoryFiles(
  files: Map<string, StoredFile>,
  cwd: string,
  put: (path: string, bytes: Uint8Array) => void,
): TerminalFiles {
  const at = (path: string) => posix.resolve(cwd, path);
  const under = (path: string) => [...files.keys()].filter((file) => file.startsWith(path === "/" ? "/" : `${path}/`));
  const statOf = (path: string): FileStat | undefined => {
    const file = files.get(path);
    if (file !== undefined)
      return { kind: "file", bytes: file.bytes.length, modifiedMs: file.modifiedMs, mode: file.mode };
    return path === cwd || under(path).length > 0
      ? { kind: "directory", bytes: 0, modifiedMs: 0, mode: 0o755 }
      : undefined;
  };
  return {
    resolve: async (path) => at(path),
    stat: async (path) => statOf(at(path)),
    async read(path, slice) {
      const stat = statOf(at(path));
      if (stat === undefined) return undefined;
      if (stat.kind !== "file") throw new ToolFailure("not_a_file", `"${at(path)}" is a ${stat.kind}, not a file.`);
      const { bytes } = files.get(at(path))!;
      return slice === undefined ? Uint8Array.from(bytes) : bytes.slice(slice.from, slice.from + slice.bytes);
    },
    async write(path, bytes, expect) {
      const stat = statOf(at(path));
      if (expect === "absent" && stat !== undefined) throw new ToolFailure("conflict", `"${at(path)}" exists already.`);
      if (typeof expect === "object" && (stat?.modifiedMs !== expect.modifiedMs || stat.bytes !== expect.bytes))
        throw new ToolFailure("conflict", `"${at(path)}" changed since it was read.`);
      put(at(path), bytes);
    },
    async remove(path) {
      if (!files.delete(at(path))) throw new ToolFailure("not_found", `"${at(path)}" does not exist.`);
    },
    async move(from, to) {
      const file = files.get(at(from));
      if (file === undefined) throw new ToolFailure("not_found", `"${at(from)}" does not exist.`);
      if (statOf(at(to)) !== undefined) throw new ToolFailure("conflict", `"${at(to)}" exists already.`);
      files.delete(at(from));
      put(at(to), file.bytes);
    },
    async list(path) {
      const base = at(path) === "/" ? "/" : `${at(path)}/`;
      const names = new Map<string, FileStat["kind"]>();
      for (const file of under(at(path))) {
        const [name, ...rest] = file.slice(base.length).split("/");
        names.set(name!, rest.length > 0 ? "directory" : "file");
      }
      return [...names].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, kind]) => ({ name, kind }));
    },
  };
}

function fakeProcess(given: { readonly output?: string; readonly exitCode?: number }, pid: number): Process {
  let text = given.output ?? "";
  const listeners = new Set<(text: string) => void>();
  const ended = Promise.withResolvers<Awaited<Process["ended"]>>();
  if (given.exitCode !== undefined) ended.resolve({ endedBy: "exit", exitCode: given.exitCode });
  return {
    pid,
    output: () => ({ text, droppedBytes: 0 }),
    /** Echoes the input, as a terminal would. */
    async write(input) {
      text += input;
      for (const listener of listeners) listener(input);
    },
    async end() {
      ended.resolve({ endedBy: "exit", exitCode: 0 });
    },
    async kill() {
      ended.resolve({ endedBy: "killed" });
    },
    ended: ended.promise,
    onOutput(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}
