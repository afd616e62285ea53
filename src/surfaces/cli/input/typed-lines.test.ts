import assert from "node:assert/strict";
import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { setImmediate as turned } from "node:timers/promises";
import { TypedLines } from "./typed-lines.ts";

function typing(): { readonly lines: TypedLines; readonly input: PassThrough } {
  const input = new PassThrough();
  return {
    lines: new TypedLines(
      () => createInterface({ input }),
      () => {},
    ),
    input,
  };
}

test("returns the lines typed before the input ended", async () => {
  const { lines, input } = typing();
  input.end("one\ntwo\n");
  assert.deepEqual([await lines.next(), await lines.next(), await lines.next()], ["one", "two", undefined]);
});

test("does not return a dropped line, but returns the next one", async () => {
  const input = new PassThrough();
  let interrupted = 0;
  const lines = new TypedLines(
    () => createInterface({ input, output: new PassThrough(), terminal: true }),
    () => void (interrupted += 1),
  );
  assert.equal(lines.drop(), false, "there is no typed text");
  input.write("delete every");
  await turned();
  input.write("\u0003");
  await turned();
  assert.equal(interrupted, 1);
  assert.equal(lines.drop(), true);
  assert.equal(lines.drop(), false);
  input.write("list them\r");
  assert.equal(await lines.next(), "list them");
  lines.end();
});

test("ending the session discards lines that are already typed", async () => {
  const { lines, input } = typing();
  input.write("/quit\nand delete everything\n");
  assert.equal(await lines.next(), "/quit");
  await turned();
  lines.end();
  assert.equal(await lines.next(), undefined);
});
