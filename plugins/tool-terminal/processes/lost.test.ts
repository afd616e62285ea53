import assert from "node:assert/strict";
import { test } from "node:test";
import { OutcomeUnknown, type ToolContext } from "hermes-agent/plugin";
import { fakeTerminal } from "hermes-agent/testing";
import { shapeOf } from "../run/command-shape.ts";
import { runForeground } from "../run/run-foreground.ts";
import { Sudo } from "../run/sudo.ts";

// row 51 of the fault matrix
test("reports a command whose connection was lost as of unknown outcome, with its earlier output, and runs it once", async () => {
  const backend = fakeTerminal({ run: () => ({ endedBy: "lost", output: "half\n", reason: "ssh ended with 255" }) });
  const terminal = await backend.open({ key: "t" }, new AbortController().signal);
  const call = {
    signal: new AbortController().signal,
    config: () => undefined,
    scratch: async () => "/scratch",
    progress: () => {},
    transform: async (_: string, { value }: { value: string }) => value,
  } as unknown as ToolContext;
  await assert.rejects(
    runForeground({ command: "make deploy" }, call, terminal, {
      shape: await shapeOf("make deploy"),
      beside: false,
      backend: "ssh",
      sudo: new Sudo(),
      redact: (text) => text,
      shown: undefined,
    }),
    (error: unknown) => {
      assert.ok(error instanceof OutcomeUnknown);
      assert.match(error.message, /ssh ended with 255/);
      assert.deepEqual(error.data, { output: "half", exit_code: -1, status: "unknown" });
      return true;
    },
  );
  assert.equal(backend.commands.length, 1);
});
