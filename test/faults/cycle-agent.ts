/**
 * An agent that starts processes on this machine. `rounds COUNT`: commands that end, are cancelled or time out, and
 * background processes that
 * end or are killed. Every second one has a grandchild in a separate session. Then it closes everything and exits.
 * `crash COUNT`: starts COUNT of each and waits to be killed. The last argument: how many seconds everything sleeps.
 */
import { readdirSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { LocalBackend } from "../../plugins/terminal-local/local-backend.ts";
import { quietLog } from "../../src/testing/quiet-log.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

const [mode, words, mark] = process.argv.slice(2);
const count = Number(words);
const { signal } = new AbortController();
const backend = new LocalBackend({ auto_source_bashrc: false }, quietLog());
const detached = `(setsid sleep ${mark} &); env -i setsid sleep ${mark} & sleep ${mark}`;

if (mode === "crash") {
  const terminals = await Promise.all([1, 2].map((n) => backend.open({ key: `crash-${n}` }, signal)));
  for (let round = 0; round < count; round += 1) {
    const terminal = terminals[round % 2]!;
    if (round % 3 === 0) await terminal.spawn(detached, {});
    else void terminal.run(detached, { signal, timeoutMs: 600_000, beside: round > 2 });
  }
  setInterval(() => {}, 60_000);
} else {
  // Keeps the process alive, as a running command does: a background process that ends does not.
  const held = setInterval(() => {}, 60_000);
  // Node opens these once and reuses them.
  await rounds(20);
  const before = descriptors();
  const ends = await rounds(count);
  clearInterval(held);
  await waitFor(() => descriptors() <= before);
  const counts = Object.fromEntries([...Map.groupBy(ends, (how) => how)].map(([how, all]) => [how, all.length]));
  process.stdout.write(`${JSON.stringify({ counts, more: Math.max(0, descriptors() - before) })}\n`);
}

/** Spreads the work over four terminals at once, and closes them afterwards. */
async function rounds(number: number): Promise<readonly string[]> {
  const terminals = await Promise.all([0, 1, 2, 3].map((n) => backend.open({ key: `round-${n}` }, signal)));
  const perTerminal = await Promise.all(
    terminals.map(async (terminal, n) => {
      const own: string[] = [];
      for (let round = n; round < number; round += terminals.length)
        own.push(await cycle(terminal, Math.floor(round / terminals.length)));
      return own;
    }),
  );
  await Promise.all(terminals.map((terminal) => terminal[Symbol.asyncDispose]()));
  return perTerminal.flat();
}

async function cycle(terminal: Awaited<ReturnType<LocalBackend["open"]>>, round: number): Promise<string> {
  const beside = Math.floor(round / 5) % 2 === 0;
  switch (round % 5) {
    case 0:
      return `run ${(await terminal.run("(setsid sleep 0.01 &); true", { signal, timeoutMs: 300_000, beside })).endedBy}`;
    case 1:
    case 2: {
      const stop = new AbortController();
      const running = terminal.run(detached, { signal: stop.signal, timeoutMs: 300_000, beside });
      await wait(round % 7);
      stop.abort();
      return `run ${(await running).endedBy}`;
    }
    case 3: {
      const started = await terminal.spawn("(setsid sleep 0.01 &); exit 3", {});
      return `spawn ${(await started.ended).exitCode}`;
    }
    default: {
      const started = await terminal.spawn(detached, {});
      await wait(round % 7);
      await started.kill();
      return `spawn ${(await started.ended).endedBy}`;
    }
  }
}

function descriptors(): number {
  return readdirSync("/proc/self/fd").length;
}
