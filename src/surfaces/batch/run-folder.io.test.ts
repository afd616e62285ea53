import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { RunFolder, type BatchRecord } from "./run-folder.ts";

const FRESH = { runName: "r", distribution: "default", seed: "r", model: "m", provider: undefined, batchSize: 2 };
const record = (index: number, tool = "terminal"): BatchRecord => ({
  prompt_index: index,
  metadata: { batch_num: 0, timestamp: "", model: "m", key: `k${index}`, session_id: "s" },
  tool_stats: { [tool]: { count: 1, success: 1, failure: 0 } },
});

function place(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "hermes-batch-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("removes a record that a crash truncated, and writes the next one on its own line", async (t) => {
  const path = place(t);
  const first = await RunFolder.open(path, {}, FRESH);
  await Promise.all([first.add(record(0)), first.add(record(1))]);
  appendFileSync(join(path, "batch_0.jsonl"), '{"prompt_index":2,"conversations":[{"from"');
  const second = await RunFolder.open(path, {}, { ...FRESH, seed: "another" });
  assert.deepEqual([second.plan, [...second.records.keys()]], [first.plan, ["k0", "k1"]]);
  await second.add(record(2, "gone_tool"));
  assert.equal(
    readFileSync(join(path, "batch_0.jsonl"), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .every((line) => typeof JSON.parse(line) === "object"),
    true,
  );
  assert.deepEqual(await second.merge(new Set(["terminal"])), { merged: 2, left: 1 });
  assert.deepEqual(
    (JSON.parse(readFileSync(join(path, "checkpoint.json"), "utf8")) as { readonly completed_prompts: unknown })
      .completed_prompts,
    [0, 1, 2],
  );
});

test("resumes a run with its original options, and reports a folder with other content", async (t) => {
  const path = place(t);
  await RunFolder.open(path, { seed: "r" }, FRESH);
  await RunFolder.open(path, { seed: "r", model: undefined }, FRESH);
  await assert.rejects(RunFolder.open(path, { batchSize: 3 }, FRESH), /started with batchSize 2, not 3/);
  writeFileSync(join(path, "batch_1.jsonl"), '{"a":1}\n');
  await assert.rejects(RunFolder.open(path, {}, FRESH), /not a record of a run: \{"a":1\}/);
  writeFileSync(join(path, "checkpoint.json"), "{");
  await assert.rejects(RunFolder.open(path, {}, FRESH), /checkpoint\.json is not valid JSON/);
});
