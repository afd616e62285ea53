import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  shownOf,
  textOf,
  ToolFailure,
  type AnyTool,
  type JsonObject,
  type Plugin,
  type PluginContext,
  type Risk,
  type TerminalBackend,
  type ToolContext,
} from "hermes-agent/plugin";
import { quietLog } from "hermes-agent/testing";
import register from "../index.ts";

/** The file tools in a temporary directory, with the real local terminal. */
export interface FileBench extends AsyncDisposable {
  /** Working directory of every task. */
  readonly root: string;
  readonly home: string;
  readonly scratch: string;
  readonly tools: ReadonlyMap<string, AnyTool>;
  /** The parsed result of a call for the model. A risk is denied unless `approve` is set. */
  call(
    tool: string,
    args: JsonObject,
    options?: { readonly task?: string; readonly by?: ToolContext["by"]; readonly approve?: boolean },
  ): Promise<ToolAnswer>;
  /** Simulates a call of another tool by the task. */
  otherTool(task?: string): void;
  context(task?: string): ToolContext;
  write(path: string, content: string | Uint8Array): Promise<void>;
  read(path: string): Promise<string>;
  run(command: string): Promise<string>;
}

/** All keys of any result; a test reads those of its call. */
export interface ToolAnswer {
  readonly error: string;
  readonly hint: string;
  readonly _hint: string;
  readonly _warning: string;
  readonly warning: string;
  readonly asked: Risk;
  readonly content: string;
  readonly status: string;
  readonly already_read: number;
  readonly total_lines: number;
  readonly file_size: number;
  readonly truncated: boolean;
  readonly truncated_by: string;
  readonly encoding: string;
  readonly next_offset: number;
  readonly extracted_document: boolean;
  readonly bytes_written: number;
  readonly resolved_path: string;
  readonly lint: { readonly status: string; readonly output: string; readonly message?: string };
  readonly success: boolean;
  readonly files_created: readonly string[];
  readonly files_deleted: readonly string[];
  readonly total_count: number;
  readonly files: readonly string[];
  readonly matches: readonly { readonly path: string; readonly line: number; readonly content: string }[];
}

type Watcher = (done: { readonly tool_name: string; readonly task_id: string }) => unknown;

export interface BenchOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: JsonObject;
  /** PATH of the terminal's commands. Default: the process's. */
  readonly path?: string;
  /** Wraps the terminal's files. */
  readonly wrap?: (backend: TerminalBackend) => TerminalBackend;
}

export async function openFileBench(options: BenchOptions = {}): Promise<FileBench> {
  const top = await realpath(await mkdtemp(join(tmpdir(), "tool-file-")));
  const [root, home, scratch, agentHome] = ["work", "home", "scratch", "home/.hermes"].map((name) =>
    join(top, name),
  ) as [string, string, string, string];
  for (const directory of [root, home, scratch, agentHome]) await mkdir(directory, { recursive: true });
  const [local, unload] = await localBackend(options.path);
  const backend = options.wrap?.(local) ?? local;
  const tools = new Map<string, AnyTool>();
  const watchers: Watcher[] = [];
  register(
    pluginContext({
      tool: (tool: AnyTool) => {
        for (const name of [tool.name, ...(tool.aliases ?? [])]) tools.set(name, tool);
      },
      hook: (_name: string, handler: Watcher) => watchers.push(handler),
      env: (name: string) => options.env?.[name],
    }),
  );

  const context = (task = "task", by: ToolContext["by"] = "model"): ToolContext => ({
    callId: "call",
    by,
    sessionId: "session",
    taskId: task,
    cwd: root,
    home,
    agentHome,
    signal: new AbortController().signal,
    log: quietLog(),
    config: (path) => options.config?.[path],
    scratch: async () => scratch,
    env: () => undefined,
    progress() {},
    ask: async () => ({ kind: "none", reason: "nobody" }),
    state: () => {
      throw new Error("the file tools keep no state");
    },
    use: (async () => backend) as ToolContext["use"],
    fetch: async () => {
      throw new Error("the file tools fetch nothing");
    },
    call: async () => {
      throw new Error("the file tools call no tools");
    },
    depth: 0,
    offered: async () => new Set(),
    held: async () => [],
    spawn: async () => {
      throw new Error("the file tools have no subagents");
    },
    transform: async (_, { value }) => value,
    notify: async () => {},
  });

  return {
    root,
    home,
    scratch,
    tools,
    context,
    async call(name, args, { task = "task", by = "model", approve = false } = {}) {
      const tool = tools.get(name)!;
      const risk = (await tool.assess?.(args, context(task)))?.risk;
      if (risk !== undefined && !approve) return { error: "not approved", asked: risk } as ToolAnswer;
      const shown = await tool.execute(args, context(task, by)).then(
        (value: unknown) => JSON.stringify(value),
        (error: unknown) => {
          if (!(error instanceof ToolFailure)) throw error;
          return textOf(
            shownOf({ kind: "failed", code: error.code, message: error.message, hint: error.hint, data: error.data }),
          );
        },
      );
      for (const watcher of watchers) watcher({ tool_name: tool.name, task_id: task });
      return JSON.parse(shown) as ToolAnswer;
    },
    otherTool(task = "task") {
      for (const watcher of watchers) watcher({ tool_name: "terminal", task_id: task });
    },
    async write(path, content) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    read: (path) => readFile(join(root, path), "utf8"),
    async run(command) {
      const terminal = await backend.open({ key: "bench", cwd: root }, new AbortController().signal);
      return (await terminal.run(command, { signal: new AbortController().signal, timeoutMs: 20_000 })).output;
    },
    async [Symbol.asyncDispose]() {
      await unload();
      await rm(top, { recursive: true, force: true });
    },
  };
}

/** The bundled local backend, loaded like a host does: by registering its module. */
async function localBackend(path: string | undefined): Promise<[TerminalBackend, () => Promise<void>]> {
  const { default: registerLocal } = (await import(new URL("../../terminal-local/index.ts", import.meta.url).href)) as {
    default: Plugin;
  };
  let backend: TerminalBackend | undefined;
  const cleanups: (() => void | Promise<void>)[] = [];
  await registerLocal(
    pluginContext({
      config: { auto_source_bashrc: false },
      provide: (_slot: string, provider: TerminalBackend) => (backend = provider),
      onUnload: (cleanup: () => void | Promise<void>) => cleanups.push(cleanup),
    }),
  );
  const unload = async (): Promise<void> => {
    for (const cleanup of cleanups) await cleanup();
  };
  if (path === undefined) return [backend!, unload];
  const open: TerminalBackend["open"] = async (options, signal) => {
    const terminal = await backend!.open(options, signal);
    const run: typeof terminal.run = (command, runOptions) =>
      terminal.run(`export PATH='${path}'; ${command}`, runOptions);
    return new Proxy(terminal, { get: (target, key) => (key === "run" ? run : bound(target, key)) });
  };
  return [new Proxy(backend!, { get: (target, key) => (key === "open" ? open : bound(target, key)) }), unload];
}

/** Binds a member of an object with private fields, so that it works through a proxy. */
export function bound(target: object, key: string | symbol): unknown {
  const value = Reflect.get(target, key, target) as unknown;
  return typeof value === "function" ? value.bind(target) : value;
}

function pluginContext(members: object): PluginContext {
  return {
    id: "test",
    version: "1.0.0",
    dir: "",
    log: quietLog(),
    config: {},
    signal: new AbortController().signal,
    env: () => undefined,
    setting: () => undefined,
    ...members,
  } as unknown as PluginContext;
}
