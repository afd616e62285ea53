import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readResult } from "./tool-result.ts";

test("calls that save files at the same moment do not overwrite each other's files", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-result-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const sounds = Array.from({ length: 20 }, (_, at) => `sound ${at}`);
  const results = await Promise.all(
    sounds.map((sound) =>
      readResult(
        { content: [{ type: "audio", mimeType: "audio/wav", data: Buffer.from(sound).toString("base64") }] },
        async () => folder,
      ),
    ),
  );
  assert.deepEqual(
    results.map(({ output }) => readFileSync(output.files![0]!, "utf8")),
    sounds,
  );
});
