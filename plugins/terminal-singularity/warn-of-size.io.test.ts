import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { quietLog } from "hermes-agent/testing";
import { warnOfSize } from "./warn-of-size.ts";

test("warns about images and overlays larger than terminal.disk_warning_gb", async () => {
  const home = mkdtempSync(join(tmpdir(), "hermes-size-"));
  try {
    mkdirSync(join(home, "sandboxes/singularity/overlays/task"), { recursive: true });
    writeFileSync(join(home, "sandboxes/singularity/overlays/task/data"), Buffer.alloc(300_000, 1));
    const message: string[] = [];
    const log = { ...quietLog(), warning: (words: string) => void message.push(words) };
    for (const limit of [0, 500, 0.000_2]) await warnOfSize({ disk_warning_gb: limit }, home, log);
    assert.match(
      message.join("\n"),
      /^Images and overlays of singularity take 0\.0 GB in .*; terminal\.disk_warning_gb is 0\.0002\. [^\n]*$/,
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
