import { readdirSync } from "node:fs";
import type { Terminal } from "../src/plugin.ts";
import { running } from "../plugins/terminal-local/sandbox/testing/running.ts";
import { openSandbox, whyNoSandbox } from "../plugins/terminal-local/sandbox/testing/sandbox-bench.ts";
import { atMost, median, ratio, type Figure } from "./figures.ts";

const BATCH = 20;

/**
 * The cost of the sandbox around a shell for a command, and the processes left of commands that were started and
 * stopped in it.
 */
export async function sandboxFigures(rounds: number, stopped: number): Promise<readonly Figure[]> {
  const missing = await whyNoSandbox();
  if (missing !== false) return [{ name: `sandbox: not measured, ${missing}`, value: "–", limit: "", ok: true }];
  await using sandbox = await openSandbox();
  const { signal } = sandbox;
  const outside = await sandbox.backend.open({ key: "outside", outside: true }, signal);
  const took = async (terminal: Terminal) => {
    const began = performance.now();
    await terminal.run("true", { signal, timeoutMs: 10_000 });
    return performance.now() - began;
  };
  await using proxied = await openSandbox({ network: "proxy" });
  const first = {
    within: await took(sandbox.terminal),
    outside: await took(outside),
    proxied: await took(proxied.terminal),
  };
  const within: number[] = [];
  const without: number[] = [];
  for (let round = 0; round < rounds * 20; round += 1) {
    within.push(await took(sandbox.terminal));
    without.push(await took(outside));
  }

  const word = `96${process.pid}`;
  const descriptors = () => readdirSync("/proc/self/fd").length;
  const before = descriptors();
  for (let done = 0; done < stopped; done += BATCH) {
    const children = await Promise.all(
      Array.from({ length: BATCH }, () => sandbox.terminal.spawn(`(setsid sleep ${word} &); exec sleep ${word}`, {})),
    );
    await Promise.all(children.map((child) => child.kill()));
  }
  return [
    ratio("a command in the sandbox", median(within), median(without), 1.5, "outside"),
    ratio("the first, which starts the shell", first.within, first.outside, 8, "outside"),
    ratio("the same with the guarded proxy", first.proxied, first.outside, 12, "outside"),
    atMost(`processes left of ${stopped} that were started and stopped`, running(word).length, 0, String),
    atMost("descriptors left of them", Math.max(0, descriptors() - before - BATCH), 0, String),
  ];
}
