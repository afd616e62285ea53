import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { after, before, describe, test, type TestContext } from "node:test";
import type { TerminalOpener } from "../contract/plugins/provide-terminal.ts";
import { BACKGROUND } from "./terminal/background.ts";
import { never, options, TerminalBench, type TerminalBehaviour, type TerminalEnvironment } from "./terminal/bench.ts";
import { COMMANDS } from "./terminal/commands.ts";
import { FILES } from "./terminal/files.ts";
import { LOSS } from "./terminal/loss.ts";
import { OUTPUT } from "./terminal/output.ts";
import { STATE } from "./terminal/state.ts";
import { STOPPING } from "./terminal/stopping.ts";

export type { TerminalEnvironment } from "./terminal/bench.ts";

/** All that every terminal backend promises, in the order of the table. */
export const TERMINAL_BEHAVIOURS: readonly TerminalBehaviour[] = [
  ...COMMANDS,
  ...OUTPUT,
  ...STOPPING,
  ...STATE,
  ...FILES,
  ...BACKGROUND,
  ...LOSS,
];

export interface TerminalContractOptions extends TerminalEnvironment {
  /** The subject of the tests: the real thing, or a double of it. */
  readonly kind: "real" | "double";
  /** Ids of the behaviours to run, for a second client of an engine that has passed all. Default: all. */
  readonly only?: readonly string[];
  /** Why behaviours, by id, do not apply to this place. */
  readonly skip?: { readonly [id: string]: string };
}

/** A file for the results, one JSON object a line, as `npm run terminals` wants them. */
const RESULTS = process.env["HERMES_TERMINAL_RESULTS"];
/** Ids of the behaviours it wants, where that is not all. */
const WANTED = process.env["HERMES_TERMINAL_ONLY"]?.split(",");

/**
 * The contract of every terminal backend, as tests. Call it at the top of a backend's `.io.test.ts`; it makes its own
 * directory with `mktemp -d` inside the terminal and removes it.
 * @param makeBackend Called once; the suite disposes what it returns.
 */
export function terminalContract(
  name: string,
  makeBackend: () => TerminalOpener | Promise<TerminalOpener>,
  given: TerminalContractOptions,
): void {
  describe(`terminal contract: ${name} (${given.kind})`, { timeout: 7_200_000 }, () => {
    let bench: TerminalBench;

    before(async () => {
      bench = new TerminalBench(await makeBackend(), given);
      const terminal = await bench.backend.open({ key: "contract-root" }, never());
      bench.root = (await terminal.run('cd "$(mktemp -d)" && pwd -P', options())).output.trim();
      assert.match(bench.root, /^\//, "the terminal must be able to make a directory");
    });

    after(async () => {
      if (bench === undefined) return;
      const terminal = await bench.backend.open({ key: "contract-root" }, never());
      if (bench.root !== "") await terminal.run(`cd / && rm -rf -- '${bench.root}'`, options());
      await bench.backend[Symbol.asyncDispose]();
    });

    for (const behaviour of TERMINAL_BEHAVIOURS.filter(({ id }) => (WANTED ?? given.only)?.includes(id) ?? true)) {
      // req: terminal.seven-backends
      test(behaviour.says, { timeout: 600_000 }, (context) => check(context, behaviour));
    }

    async function check(context: TestContext, { id, needs, run }: TerminalBehaviour): Promise<void> {
      let skipped =
        given.skip?.[id] ??
        (needs !== undefined && given[needs] === undefined ? `nothing to ${needs} here` : undefined);
      let passed = false;
      try {
        if (skipped === undefined) await run(bench, (why) => void (skipped = why));
        passed = true;
      } finally {
        if (RESULTS !== undefined)
          appendFileSync(
            RESULTS,
            `${JSON.stringify({ backend: name, kind: given.kind, id, outcome: !passed ? "failed" : skipped === undefined ? "passed" : "skipped", why: skipped })}\n`,
          );
      }
      if (skipped !== undefined) context.skip(skipped);
    }
  });
}
