import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { HookMap, MiddlewareMap, PluginContext } from "hermes-agent/plugin";
import { SnapshotStore } from "./snapshot/snapshot-store.ts";
import register from "./index.ts";

type Wrap = (call: MiddlewareMap["tool_execution"]["input"], next: () => Promise<unknown>) => Promise<unknown>;

/** The plugin as an agent has it, with a tool that writes one file. */
function scene(t: TestContext) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "checkpoints-calls-")));
  const root = join(top, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  const home = join(top, "home");
  const file = join(root, "a.txt");
  let wrap: Wrap | undefined;
  let unload: (() => Promise<void>) | undefined;
  let ended: HookMap["on_session_end"] | undefined;
  const warnings: string[] = [];
  const context = {
    home,
    config: {},
    env: () => undefined,
    signal: new AbortController().signal,
    log: { warning: (text: string) => warnings.push(text), info: () => undefined },
    storage: {
      get: async () => undefined,
      set: async () => undefined,
      keys: async () => [],
      delete: async () => undefined,
    },
    use: async () => ({ id: "local", isolated: false, open: async () => ({ cwd: root }) }),
    middleware: (_: string, given: Wrap) => (wrap = given),
    hook: (_: string, given: never) => (ended = given),
    onUnload: (given: () => Promise<void>) => (unload = given),
    command: () => undefined,
    cli: () => undefined,
  } as unknown as PluginContext;
  void register(context);
  t.after(async () => {
    await unload?.();
    rmSync(top, { recursive: true, force: true });
  });
  return {
    warnings,
    turns() {
      using store = new SnapshotStore(join(home, "checkpoints/snapshots.db"));
      return store.checkpoints().map(({ turnId }) => turnId);
    },
    write: (turnId: string, text: string) =>
      wrap!(
        {
          effect: "write",
          touches: [file],
          args: { path: file },
          tool_name: "write_file",
          session_id: "s",
          task_id: "s",
          turn_id: turnId,
          cwd: root,
        } as never,
        async () => writeFileSync(file, text),
      ),
    read: () => wrap!({ effect: "read", touches: [file], turn_id: "t0" } as never, async () => "seen"),
    endTurn: (turnId: string) => (ended as unknown as (payload: object) => Promise<void>)({ turn_id: turnId }),
  };
}

test("a turn has one checkpoint for all its writes; each manual call outside a turn has a separate one", async (t) => {
  const { write, endTurn, turns, warnings } = scene(t);
  await write("t1", "one");
  await write("t1", "two");
  await endTurn("t1");
  for (const text of ["three", "four", "five"]) await write("", text);
  assert.deepEqual([turns(), warnings], [["", "", "", "t1"], []]);
});

test("a read-only call takes no snapshot", async (t) => {
  const { read, turns, write } = scene(t);
  assert.equal(await read(), "seen");
  await write("t1", "one");
  assert.deepEqual(turns(), ["t1"]);
});
