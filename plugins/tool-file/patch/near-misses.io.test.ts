import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { NEAR_MISSES, type NearMiss } from "../../../test/edit/near-misses.ts";
import { openFileBench, type FileBench } from "../testing/file-bench.ts";

let bench: FileBench;
before(async () => {
  // Without the programs that check a file's syntax, the test measures the edit alone.
  bench = await openFileBench({ path: "/bin" });
});
after(() => bench[Symbol.asyncDispose]());

const FORMS: readonly (readonly [name: string, bytes: (text: string) => Uint8Array])[] = [
  ["LF", (text) => Buffer.from(text)],
  ["CRLF", (text) => Buffer.from(text.replaceAll("\n", "\r\n"))],
  ["byte order mark", (text) => Buffer.from(`\ufeff${text}`)],
  ["byte order mark and CRLF", (text) => Buffer.from(`\ufeff${text.replaceAll("\n", "\r\n")}`)],
];

for (const [form, bytes] of FORMS) {
  // field: F03, F04, F05
  test(`patch leaves exactly the intended bytes, and a refused edit changes none: ${form}`, async () => {
    for (const [index, row] of NEAR_MISSES.entries()) {
      // One form for each near miss; the lenient ones in all.
      if (row.expect === "refuse" && index % FORMS.length !== FORMS.findIndex(([name]) => name === form)) continue;
      const path = await place(index, row, bytes);
      const result = await bench.call("patch", { path, old_string: row.old, new_string: row.new });
      const intended = bytes(row.expect === "apply" ? row.result : row.file);
      const about = `${row.language}: ${row.why}: ${JSON.stringify(result)}`;
      assert.equal(result.success, row.expect === "apply", about);
      assert.deepEqual(await readFile(join(bench.root, path)), Buffer.from(intended), about);
    }
  });
}

// field: F03, F04, F05
test("a patch of several files finds near misses the same way", async () => {
  for (const [index, row] of NEAR_MISSES.entries()) {
    const hunk = hunkOf(row);
    if (hunk === undefined) continue;
    const path = await place(index, row, (text) => Buffer.from(text));
    const result = await bench.call("patch", { mode: "patch", patch: `*** Update File: ${path}\n@@\n${hunk}` });
    const about = `${row.language}: ${row.why}: ${hunk} ${JSON.stringify(result)}`;
    assert.equal(result.success, row.expect === "apply", about);
    assert.equal(await bench.read(path), row.expect === "apply" ? row.result : row.file, about);
  }
});

async function place(index: number, row: NearMiss, bytes: (text: string) => Uint8Array): Promise<string> {
  const path = `${index}/${row.path}`;
  await bench.write(path, bytes(row.file));
  return path;
}

/** The edit as a hunk: common lines are context. `undefined` if the edit is not one of whole lines. */
function hunkOf({ file, old, new: fresh, expect, why }: NearMiss): string | undefined {
  if (old.endsWith("\n") || (expect === "apply" && !isWholeLines(file, old)) || why.includes("inside a word"))
    return undefined;
  const a = old.split("\n");
  const b = fresh.split("\n");
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  return [
    ...a.slice(0, head).map((line) => ` ${line}`),
    ...a.slice(head, a.length - tail).map((line) => `-${line}`),
    ...b.slice(head, b.length - tail).map((line) => `+${line}`),
    ...a.slice(a.length - tail).map((line) => ` ${line}`),
  ].join("\n");
}

function isWholeLines(file: string, old: string): boolean {
  const last = old.split("\n").at(-1)!.trim();
  return old.includes("\n") && file.split("\n").some((line) => line.trim() === last);
}
