import { judgeCommand } from "../src/safety/commands/command.ts";
import { HOSTILE_SCRIPTS } from "../test/safety/hostile-scripts.ts";
import { readLabelled } from "../test/safety/read-labelled.ts";
import { atMost, ms, quantile, type Figure } from "./figures.ts";

const HERE = { cwd: "/home/user/project", home: "/home/user" };

/** The cost of judging a command: ordinary ones, and texts that are as expensive as possible. */
export async function safetyFigures(): Promise<readonly Figure[]> {
  const lines = readLabelled().map((line) => line.command);
  for (const line of lines) await judgeCommand(line, HERE);
  const times: number[] = [];
  for (const line of lines) times.push(await least(line, 3));
  const hostile: number[] = [];
  for (const script of Object.values(HOSTILE_SCRIPTS)) hostile.push(await least(script, 3));
  return [
    atMost(`decision about a command, 99 of 100 of ${lines.length}`, quantile(times, 0.99), 5, ms),
    atMost("decision about 128 kB of hostile text, the worst", Math.max(...hostile), 250, ms),
  ];
}

/** The minimum of a few runs excludes the load of other processes. */
async function least(command: string, rounds: number): Promise<number> {
  let time = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await judgeCommand(command, HERE);
    time = Math.min(time, performance.now() - started);
  }
  return time;
}
