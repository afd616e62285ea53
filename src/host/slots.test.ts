import assert from "node:assert/strict";
import { test } from "node:test";
import type { TerminalBackend } from "../contract/terminal.ts";
import { quietLog } from "../testing/quiet-log.ts";
import { SlotDesk } from "./slots.ts";

function desk(config: { readonly [path: string]: string }, ids: readonly string[]) {
  const slots = new SlotDesk({ log: quietLog(), config: (path) => config[path] });
  for (const id of ids) slots.add("terminal", { id, label: undefined, data: {}, load: () => Promise.resolve({ id } as TerminalBackend) }, `terminal-${id}`);
  return slots;
}

// req: terminal.env-type
test("configuration picks the provider, an id given beats it", async () => {
  const slots = desk({ "terminal.backend": "docker" }, ["local", "docker"]);
  assert.equal((await slots.use("terminal")).id, "docker");
  assert.equal((await slots.use("terminal", "local")).id, "local");
});

test("a provider that does not exist is answered with those that do, and with where the choice was made", async () => {
  await assert.rejects(desk({ "terminal.backend": "dokcer" }, ["local", "docker"]).use("terminal"), { message: 'There is no terminal provider "dokcer" (terminal.backend).', hint: "There is: docker, local.", exitCode: 78 });
  await assert.rejects(desk({}, []).use("terminal", "ssh"), { hint: "There is: none." });
});

test("without a choice the only one is used, and several are a question", async () => {
  assert.equal((await desk({}, ["local"]).use("terminal")).id, "local");
  await assert.rejects(desk({}, ["local", "docker"]).use("terminal"), { message: "No terminal provider is chosen.", hint: "Set terminal.backend to one of: docker, local." });
  assert.equal(desk({ "model.provider": "auto" }, []).chosen("model"), undefined);
});
