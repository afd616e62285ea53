import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median, ms, type Figure } from "./figures.ts";
import { startModelServer, type ModelServer } from "./model-server.ts";
import { freshHome, run } from "./start.ts";

/**
 * Compares with the Python original, if one is installed: `HERMES_ORIGINAL=/path/to/venv/bin/hermes npm run bench`.
 * Same server, same prompt,
 * same commands, and a task with a typical number of turns; both figures are from this run.
 */
export async function originalFigures(hermes: string, rounds: number): Promise<readonly Figure[]> {
  const original = process.env.HERMES_ORIGINAL;
  if (original === undefined || !existsSync(original))
    return [
      {
        name: "beside the Python original",
        value: "skipped: set HERMES_ORIGINAL to its hermes command",
        limit: "",
        ok: true,
      },
    ];
  const home = freshHome();
  const theirs = { first: [] as number[], turns: [] as number[] };
  const ours = { first: [] as number[], turns: [] as number[] };
  try {
    for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round += 1) {
      await sample(theirs, (url) => runOriginal(original, home, url));
      await sample(ours, (url) => run(hermes, ["chat", "-q", "count"], home, url));
    }
    return [
      compare("first request, time saved against the original", median(theirs.first), median(ours.first), 20),
      compare(
        `a turn with a shell command, p50 of ${TURNS} in a task, time saved against the original`,
        median(theirs.turns),
        median(ours.turns),
        25,
      ),
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The original takes three seconds to start and a tenth of a second for a turn. */
const MAX_ROUNDS = 5;
const TURNS = 40;

async function sample(
  into: { readonly first: number[]; readonly turns: number[] },
  go: (url: string) => Promise<unknown>,
): Promise<void> {
  const server = await startModelServer((request) =>
    request < TURNS ? { calls: [{ name: "terminal", args: { command: `echo ${request}` } }] } : { text: "done" },
  );
  try {
    const started = performance.now();
    await go(server.url);
    into.first.push((server.requests[0]?.arrivedAt ?? Number.NaN) - started);
    into.turns.push(...gaps(server).slice(1));
  } finally {
    await server.close();
  }
}

function gaps(server: ModelServer): readonly number[] {
  return server.requests
    .slice(1)
    .map(({ arrivedAt }, index) => arrivedAt - (server.requests[index]?.answeredAt ?? Number.NaN));
}

async function runOriginal(original: string, home: string, url: string): Promise<void> {
  const folder = join(home, ".hermes-original");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "config.yaml"),
    `model:\n  provider: custom\n  default: bench\n  base_url: ${url}\n  context_length: 200000\n`,
  );
  writeFileSync(join(folder, ".env"), "OPENAI_API_KEY=bench\n");
  const child = spawn(original, ["chat", "-q", "count", "--yolo"], {
    env: { PATH: process.env.PATH, HOME: home, HERMES_HOME: folder, OPENAI_API_KEY: "bench" },
    stdio: "ignore",
    cwd: home,
  });
  await new Promise((resolve) => child.on("close", resolve));
}

function compare(name: string, theirs: number, ours: number, limit: number): Figure {
  const times = theirs / ours;
  return {
    name,
    value: `${times.toFixed(1)} × (${ms(theirs)} against ${ms(ours)})`,
    limit: `≥ ${limit} ×`,
    ok: times >= limit,
  };
}
