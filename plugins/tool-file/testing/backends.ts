import type { TerminalBackend, TerminalFiles } from "hermes-agent/plugin";
import { bound } from "./file-bench.ts";

/** A backend whose files `change` wraps. */
export function overFiles(backend: TerminalBackend, change: (files: TerminalFiles) => TerminalFiles): TerminalBackend {
  const open: TerminalBackend["open"] = async (options, signal) => {
    const terminal = await backend.open(options, signal);
    const plain = Object.fromEntries(
      ["resolve", "stat", "read", "write", "remove", "move", "list"].map((name) => [name, bound(terminal.files, name)]),
    );
    const files = change(plain as unknown as typeof terminal.files);
    return new Proxy(terminal, { get: (target, key) => (key === "files" ? files : bound(target, key)) });
  };
  return new Proxy(backend, { get: (target, key) => (key === "open" ? open : bound(target, key)) });
}

/** An environment without this machine's files. */
export function elsewhere(backend: TerminalBackend): TerminalBackend {
  const remote = overFiles(backend, (files) => ({
    ...files,
    resolve: async (path) => path,
    stat: async () => undefined,
    read: async () => undefined,
    list: async () => [],
  }));
  return new Proxy(remote, { get: (target, key) => (key === "elsewhere" ? true : bound(target, key)) });
}
