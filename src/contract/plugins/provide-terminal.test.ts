import assert from "node:assert/strict";
import { test } from "node:test";
import type { Probe } from "../common/availability.ts";
import type { PluginContext } from "./plugin.ts";
import { needsVariables, provideTerminal } from "./provide-terminal.ts";
import type { TerminalBackend } from "../providers/terminal.ts";

const { signal } = new AbortController();

function provided() {
  const seen: string[] = [];
  const all: { backend?: TerminalBackend; unload?: () => void | Promise<void> } = {};
  const ctx = {
    provide: (_: string, backend: TerminalBackend) => (all.backend = backend),
    onUnload: (unload: () => Promise<void>) => (all.unload = unload),
  } as unknown as PluginContext;
  const opener = {
    open: async () => (seen.push("opened"), {} as never),
    [Symbol.asyncDispose]: async () => void seen.push("closed"),
  };
  provideTerminal(ctx, { id: "box", isolated: true }, async () => (seen.push("loaded"), opener));
  return { seen, backend: all.backend!, unload: all.unload! };
}

test("loads a backend once, with its first terminal, and closes it with its plugin", async () => {
  const { seen, backend, unload } = provided();
  assert.deepEqual([backend.id, backend.isolated, seen.join()], ["box", true, ""]);
  await backend.open({ key: "a" }, signal);
  await backend.open({ key: "b" }, signal);
  await unload();
  assert.equal(seen.join(), "loaded,opened,opened,closed");
});

test("does not load an unused backend in order to close it", async () => {
  const { seen, unload } = provided();
  await unload();
  assert.deepEqual(seen, []);
});

test("names the missing variables", () => {
  const probe = (set: readonly string[]) =>
    ({ env: (name: string) => (set.includes(name) ? "set" : undefined) }) as unknown as Probe;
  assert.deepEqual(needsVariables(probe(["A", "B"]), ["A", "B"]), { ok: true });
  assert.deepEqual(needsVariables(probe(["A"]), ["A", "B"]), { ok: false, reason: "B is not set.", needs: ["B"] });
  assert.deepEqual(needsVariables(probe([]), ["A", "B"]), {
    ok: false,
    reason: "A, B are not set.",
    needs: ["A", "B"],
  });
});
