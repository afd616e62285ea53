import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atMost, median, ms, quantile, type Figure } from "./figures.ts";
import { startModelServer, type ModelServer } from "./model-server.ts";
import { freshHome, run } from "./start.ts";

/** The number of answers with sleeping commands. */
const SLEEPS = 5;

/**
 * A turn as the provider sees it: from the end of an answer with calls to the next request. Every fact in between is
 * synced to disk.
 */
export async function turnFigures(hermes: string, turns: number): Promise<readonly Figure[]> {
  const home = freshHome();
  const heavy = freshHome();
  const shell = await startModelServer((request) =>
    request < turns ? { calls: [{ name: "terminal", args: { command: `echo ${request}` } }] } : { text: "done" },
  );
  const loaded = await startModelServer((request) =>
    request < turns ? { calls: [{ name: "terminal", args: { command: `echo ${request}` } }] } : { text: "done" },
  );
  const sleepers = await startModelServer((request) =>
    request % 2 === 0
      ? {
          calls: Array.from({ length: 8 }, (_, index) => ({
            name: "terminal",
            args: { command: `sleep 0.5; echo ${index}` },
          })),
        }
      : { text: "done" },
  );
  try {
    await run(hermes, ["chat", "-q", "count", "--max-turns", String(turns + 2)], home, shell.url);
    const gaps = between(shell).slice(3);
    const { rssMiB } = await run(
      hermes,
      ["chat", "-q", "count", "--max-turns", String(turns + 2)],
      heavy,
      loaded.url,
      holdOneGiB(heavy),
    );
    if (rssMiB < 1024) throw new Error(`The process that should hold 1 GiB held ${rssMiB.toFixed(0)} MiB.`);
    const heavyGaps = between(loaded).slice(3);
    for (let round = 0; round < SLEEPS; round += 1) await run(hermes, ["chat", "-q", "sleep"], home, sleepers.url);
    const parallel = between(sleepers).filter((_, index) => index % 2 === 0);
    const prefixes = new Set(shell.requests.map(({ body }) => prefixOf(body)));
    const first = prefixOf(shell.requests[0]?.body ?? "{}");
    const next = prefixOf(sleepers.requests[0]?.body ?? "{}");
    return [
      atMost(`turn with one shell command, p50 of ${gaps.length}`, median(gaps), 4, ms),
      atMost("the same, p95", quantile(gaps, 0.95), 10, ms),
      atMost("while the process holds 1 GiB, p50", median(heavyGaps), 4, ms),
      atMost("the same, p95", quantile(heavyGaps, 0.95), 10, ms),
      atMost(`8 × \`sleep 0.5\` in one answer, p50 of ${parallel.length}`, median(parallel), 560, ms),
      {
        name: "prefix over all turns and in the next session",
        value: prefixes.size === 1 && first === next ? "byte-identical" : `${prefixes.size} different`,
        limit: "byte-identical",
        ok: prefixes.size === 1 && first === next,
      },
      atMost(
        "first request before the user's text (characters / 3.8)",
        first.length / 3.8,
        3000,
        (value) => `${value.toFixed(0)} tokens`,
      ),
    ];
  } finally {
    await shell.close();
    await loaded.close();
    await sleepers.close();
    for (const one of [home, heavy]) rmSync(one, { recursive: true, force: true });
  }
}

/** Reserved before anything else runs; a spawn from such a process would copy its page tables. */
function holdOneGiB(home: string): NodeJS.ProcessEnv {
  const file = join(home, "ballast.cjs");
  writeFileSync(file, "globalThis.ballast = Buffer.alloc(2 ** 30, 1);\n");
  return { NODE_OPTIONS: `--require ${file}` };
}

function between(server: ModelServer): readonly number[] {
  return server.requests
    .slice(1)
    .map(({ arrivedAt }, index) => arrivedAt - (server.requests[index]?.answeredAt ?? Number.NaN));
}

/** System prompt and tools exactly as sent. */
function prefixOf(body: string): string {
  const request = JSON.parse(body) as { messages: readonly { role: string }[]; tools?: unknown };
  return JSON.stringify([request.messages.filter(({ role }) => role === "system"), request.tools]);
}
