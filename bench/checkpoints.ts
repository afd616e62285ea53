import { lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PluginContext } from "../src/plugin.ts";
import { CheckpointService } from "../plugins/checkpoints/checkpoint-service.ts";
import { atMost, ratio, type Figure } from "./figures.ts";

const FILES = 50_000;
const ROUNDS = 7;

/** A checkpoint of a large tree with few changes, compared with the minimum cost: a stat of every file. */
export async function checkpointFigures(): Promise<readonly Figure[]> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "hermes-checkpoints-")));
  const tree = join(top, "tree");
  const service = new CheckpointService(
    {
      home: join(top, "home"),
      config: { max_files: 2 * FILES },
      env: () => undefined,
      log: { warning: console.error, info: () => undefined },
    } as unknown as PluginContext,
    top,
  );
  try {
    mkdirSync(join(tree, ".git"), { recursive: true });
    for (let at = 0; at < FILES; at += 1) {
      const folder = join(tree, `d${at % 25}`, `e${at % 500}`);
      if (at < 500) mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `f${at}`), `file ${at}\n`);
    }
    const looks: number[] = [];
    const walks: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (let at = 0; at < 10; at += 1) writeFileSync(join(tree, `d${at}`, `e${at}`, `f${at}`), `round ${round}\n`);
      const began = performance.now();
      await service.before({
        sessionId: "s",
        turnId: `t${round}`,
        paths: [tree],
        label: "bench",
        progress: () => undefined,
      });
      const looked = performance.now();
      walk(tree);
      if (round === 0) continue; // The first checkpoint reads everything.
      looks.push(looked - began);
      walks.push(performance.now() - looked);
    }
    const least = Math.min(...looks);
    return [
      ratio("checkpoint of 50,000 files, 10 changed", least, Math.min(...walks), 3, "looking at each"),
      atMost("the same, in time", least, 300, (value) => `${value.toFixed(0)} ms`),
    ];
  } finally {
    service.close();
    rmSync(top, { recursive: true, force: true });
  }
}

function walk(folder: string): void {
  for (const name of readdirSync(folder)) if (lstatSync(join(folder, name)).isDirectory()) walk(join(folder, name));
}
