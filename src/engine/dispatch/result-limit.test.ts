import assert from "node:assert/strict";
import { test } from "node:test";
import { limitResult } from "./result-limit.ts";

const keep = async () => "/scratch/call_1.txt";

test("leaves a result within the limit unchanged", async () => {
  const parts = [{ type: "text", text: "x".repeat(10) }] as const;
  assert.equal(await limitResult(parts, 10, keep), parts);
  assert.equal(await limitResult(parts, "unlimited", keep), parts);
});

test("saves a longer result whole in a file; the model reads its size, beginning, path and how to page", async () => {
  const lines = Array.from({ length: 400 }, (_, n) => `line ${n} ü`).join("\n");
  let saved = "";
  const shown = await limitResult(
    [
      { type: "text", text: lines },
      { type: "image", mediaType: "image/png", data: "AA" },
    ],
    1_000,
    async (text) => ((saved = text), "/scratch/call_1.txt"),
  );
  assert.equal(saved, lines);
  assert.deepEqual(shown[1], { type: "image", mediaType: "image/png", data: "AA" });
  const note = JSON.parse((shown[0] as { text: string }).text);
  assert.deepEqual(note.persisted_output, {
    chars: lines.length,
    bytes: Buffer.byteLength(lines),
    path: "/scratch/call_1.txt",
    hint: 'The whole result is in this file. Read it in pages: read_file with path "/scratch/call_1.txt", offset and limit.',
  });
  assert.match(note.preview, /^line 0 ü\n[^]*ü\n\.\.\.$/);
  assert.ok(note.preview.length <= 1_504);
});

test("if the rest cannot be saved, reports to the model that it is lost", async () => {
  const shown = await limitResult([{ type: "text", text: "y".repeat(5_000) }], 100, async () => {
    throw new Error("disk full");
  });
  assert.deepEqual(JSON.parse((shown[0] as { text: string }).text), {
    persisted_output: {
      chars: 5000,
      bytes: 5000,
      hint: "The rest could not be saved (disk full). Ask for less at a time.",
    },
    preview: `${"y".repeat(1500)}\n...`,
  });
});
