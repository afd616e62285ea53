import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import type { TerminalOpener } from "../../contract/plugins/provide-terminal.ts";
import type { RunOptions, RunResult, Terminal } from "../../contract/providers/terminal.ts";
import { Stopwatch } from "../stopwatch.ts";
import { waitFor } from "../wait-for.ts";

/** One thing every backend promises. `id` never changes: tables and reports name it. */
export interface TerminalBehaviour {
  readonly id: string;
  /** A sentence. */
  readonly says: string;
  /** Abilities that the bench needs; the behaviour is skipped without them. */
  readonly needs?: "cut" | "remove";
  run(bench: TerminalBench, skip: (why: string) => void): Promise<void>;
}

/** The access to its environment that a backend's test gives the suite. */
export interface TerminalEnvironment {
  /** Breaks the connection of everything that runs in this terminal now, as a lost network would. */
  readonly cut?: (terminal: Terminal) => void | Promise<void>;
  /** Removes the place under the terminal. */
  readonly remove?: (terminal: Terminal) => void | Promise<void>;
  /** How much "output without end" is. Default 1 GB. */
  readonly hugeBytes?: number;
  /** Its files are not this machine's. */
  readonly separate?: boolean;
}

export class TerminalBench {
  readonly backend: TerminalOpener;
  readonly place: TerminalEnvironment;
  /** A directory of the place for the suite alone. */
  root = "";
  #count = 0;

  constructor(backend: TerminalOpener, place: TerminalEnvironment) {
    this.backend = backend;
    this.place = place;
  }

  /** A terminal and a directory that nothing else of the suite sees. */
  async fresh(): Promise<Terminal> {
    const key = `contract-${++this.#count}`;
    const terminal = await this.backend.open({ key, cwd: this.root }, never());
    const made = await terminal.run(`mkdir -p '${this.root}/${key}' && cd '${this.root}/${key}'`, options());
    assert.equal(made.exitCode, 0, made.output);
    return terminal;
  }
}

export function options(more: Partial<RunOptions> = {}): RunOptions {
  return { signal: never(), timeoutMs: 120_000, ...more };
}

export function never(): AbortSignal {
  return new AbortController().signal;
}

export function ended(result: RunResult): readonly [RunResult["endedBy"], number | undefined, string] {
  return [result.endedBy, result.exitCode, result.output];
}

export function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
}

/** The process whose id is in `file` ends within two and a half seconds. */
export async function gone(terminal: Terminal, file: string, looker = terminal): Promise<void> {
  const id = text(await looker.files.read(file))?.trim() ?? "";
  assert.match(id, /^\d+$/, `${file} holds a process id`);
  const watch = new Stopwatch();
  while (await alive(looker, id)) {
    watch.assertWithin(2_500, `the end of process ${id} (${file})`);
    await wait(20);
  }
}

export async function alive(terminal: Terminal, id: string | number | undefined): Promise<boolean> {
  // A killed process whose parent has not collected it yet still has an id; Z and X are as good as gone.
  const look = `s=$(ps -o stat= -p ${id} 2>/dev/null || sed 's/.*) //' /proc/${id}/stat 2>/dev/null); case "$s" in ""|Z*|X*) echo gone;; *) echo alive;; esac`;
  return (await terminal.run(look, options({ beside: true }))).output.trim() === "alive";
}

/** Waits for what has no event. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await waitFor(holds);
}

/** Whether something has been written into the file. */
export async function wrote(terminal: Terminal, file: string): Promise<boolean> {
  return (text(await terminal.files.read(file).catch(() => undefined)) ?? "").trim() !== "";
}

/**
 * Runs a command until its time is over. Where the machine was too slow for it to get as far as `begun`, it gets more
 * time.
 */
export async function timedOut(
  terminal: Terminal,
  command: string,
  begun: (result: RunResult) => boolean | Promise<boolean>,
): Promise<RunResult> {
  for (let timeoutMs = 400; ; timeoutMs *= 4) {
    const result = await terminal.run(command, options({ timeoutMs }));
    assert.deepEqual([result.endedBy, result.exitCode], ["timeout", undefined]);
    if (timeoutMs > 20_000 || (await begun(result))) return result;
  }
}
