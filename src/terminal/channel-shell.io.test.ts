import { spawn, type ChildProcess } from "node:child_process";
import { homedir } from "node:os";
import { terminalContract } from "../testing/terminal-contract.ts";
import type { Terminal, TerminalBackend } from "../contract/terminal.ts";
import { processChannel } from "./channel.ts";
import { openKeptShell } from "./channel-shell.ts";
import type { StartShell } from "./channel.ts";
import { KeptTerminals } from "./kept-terminals.ts";
import { PlaceFiles } from "./place-files.ts";

// The kit by itself: a place that is nothing but `bash` with three pipes. Dropping the client is the end of its input there.
const clients = new Set<ChildProcess>();

terminalContract("pipes", () => {
  const terminals = new KeptTerminals();
  const startShell: StartShell = async () => {
    const child = spawn("bash", { stdio: "pipe", detached: true, cwd: homedir(), env: { PATH: process.env["PATH"] ?? "", HOME: homedir() } });
    clients.add(child);
    child.once("exit", () => clients.delete(child));
    return { ...processChannel(child, "bash"), kill: () => void child.stdin.destroy() };
  };
  return {
    id: "pipes",
    isolated: false,
    elsewhere: true,
    open: async ({ key, cwd = "" }): Promise<Terminal> => {
      const known = terminals.get(key);
      if (known !== undefined) return known;
      const terminal = terminals.add({ key, cwd, idleMs: 0, start: (from) => openKeptShell(startShell, from), files: (made) => new PlaceFiles(made) });
      await terminal.ready();
      return terminal;
    },
    [Symbol.asyncDispose]: () => terminals[Symbol.asyncDispose](),
  } satisfies TerminalBackend;
}, { kind: "double", hugeBytes: 100_000_000, cut: () => clients.forEach((child) => child.stdin!.destroy()) });
