import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createKnownMask } from "../../../src/safety/secrets/known-values.ts";
import { createRedactor } from "../../../src/safety/secrets/redact.ts";
import { maskSpill } from "./mask-spill.ts";

const KEY = "k3y-of-the-lab-77AA88bb99";
const redact = createRedactor(createKnownMask(() => [KEY]));

async function masked(bytes: Buffer): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "hermes-spill-"));
  try {
    const file = join(folder, "output.txt");
    writeFileSync(file, bytes, { mode: 0o600 });
    await maskSpill(file, redact);
    assert.deepEqual(readdirSync(folder), ["output.txt"]);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// field: S05
test("masks secrets in saved output, also across chunk borders, and preserves the rest", async () => {
  // A little more than a chunk: the secret moves over its edge.
  for (let before = 399_900; before < 400_100; before += 7) {
    const lines = `${"a line of output\n".repeat(Math.floor(before / 17))}${"x".repeat(before % 17)}`;
    for (const [text, expected] of [
      [`${lines} ${KEY}\nnext\n`, `${lines} [REDACTED]\nnext\n`],
      [`${lines}\nDB_PASSWORD=hunter2hunter2\nNAME=x`, `${lines}\nDB_PASSWORD=***\nNAME=x`],
    ] as const)
      assert.ok((await masked(Buffer.from(text))).equals(Buffer.from(expected)), String(before));
  }
});

// field: S05
test("masks a key inside the base64 of a long stream, with or without line breaks", async () => {
  const stream = Buffer.from(`${"0123456789".repeat(45_000)}${KEY}${"z".repeat(300_000)}${KEY}end`).toString("base64");
  for (const text of [stream, stream.replace(/.{76}/g, "$&\n")]) {
    const plain = (await masked(Buffer.from(text))).toString().replaceAll("\n", "");
    assert.equal(plain.split(/(?:\[REDACTED\])+/).length, 3);
    const [start = "", , end = ""] = plain.split(/(?:\[REDACTED\])+/);
    assert.ok(stream.startsWith(start) && stream.endsWith(end));
    assert.ok(start.length >= 600_000 - 4);
  }
});

test("preserves bytes that are not text, and deletes a file that cannot be masked", async () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe, 0, 1]), Buffer.from(` ${KEY} `), Buffer.from([0xc3])]);
  assert.deepEqual(
    await masked(bytes),
    Buffer.concat([Buffer.from([0xff, 0xfe, 0, 1]), Buffer.from(" [REDACTED] "), Buffer.from([0xc3])]),
  );
  const folder = mkdtempSync(join(tmpdir(), "hermes-spill-"));
  try {
    const file = join(folder, "output.txt");
    writeFileSync(file, KEY);
    await assert.rejects(
      maskSpill(file, () => {
        throw new Error("no mask");
      }),
      /no mask/,
    );
    assert.ok(!existsSync(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
