import assert from "node:assert/strict";
import { test } from "node:test";
import { PageLines } from "./page-lines.ts";

function page(text: string, from: number, to: number, piece = text.length + 1, maxLineChars = 20, column = 1) {
  const lines = new PageLines({ from, to, column, maxLineChars });
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; at += piece) lines.add(bytes.subarray(at, at + piece));
  const { long, invalid, ...rest } = lines.end();
  assert.equal(invalid, false);
  assert.equal(long.length > 0, column > 1 || rest.lines.some((line) => line.endsWith("[truncated]")));
  return rest;
}

// req: tool-file.read-file
test("a page has the right lines, however the file is split into chunks", () => {
  const text = "first\nsecond ü\n\nfourth 漢字\nlast";
  for (let piece = 1; piece <= 12; piece++) {
    assert.deepEqual(page(text, 2, 4, piece), {
      lines: ["second ü", "", "fourth 漢字"],
      newlines: 4,
      count: 5,
      truncated: true,
    });
    assert.deepEqual(page(text, 4, 9, piece), {
      lines: ["fourth 漢字", "last"],
      newlines: 4,
      count: 5,
      truncated: false,
    });
  }
});

test("shows a final line end as an empty line, without offering another page", () => {
  assert.deepEqual(page("a\nb\n", 1, 2), { lines: ["a", "b", ""], newlines: 2, count: 2, truncated: false });
  assert.deepEqual(page("a\nb\n", 1, 1), { lines: ["a"], newlines: 2, count: 2, truncated: true });
  assert.deepEqual(page("a\nb", 1, 1), { lines: ["a"], newlines: 1, count: 2, truncated: true });
  assert.deepEqual(page("", 1, 9), { lines: [""], newlines: 0, count: 1, truncated: false });
  assert.deepEqual(page("a\n", 5, 9), { lines: [], newlines: 1, count: 1, truncated: false });
});

test("a long line is cut with a notice; a byte order mark is not part of the first line", () => {
  assert.deepEqual(page(`\ufeff${"x".repeat(25)}\n${"ü".repeat(20)}\n`, 1, 2, 3).lines, [
    `${"x".repeat(20)}... [truncated]`,
    "ü".repeat(20),
    "",
  ]);
  // By characters: no emoji is cut in two.
  assert.deepEqual(page(`${"🦀".repeat(20)}\nx${"🦀".repeat(20)}\n`, 1, 2, 3).lines, [
    "🦀".repeat(20),
    `x${"🦀".repeat(19)}... [truncated]`,
    "",
  ]);
});

test("adds line ends counted by another program to the total", () => {
  const lines = new PageLines({ from: 1, to: 1, column: 1, maxLineChars: 20 });
  lines.add(Buffer.from("a\nb\n"));
  assert.equal(lines.full, true);
  assert.deepEqual(lines.end(7), { lines: ["a"], newlines: 9, count: 9, truncated: true, long: [], invalid: false });
});

// field: F07
test("reads the rest of a long line by columns, however the file is split into chunks", () => {
  const line = `${"ü".repeat(15)}${"🦀".repeat(15)}${"x".repeat(15)}`;
  const characters = [...line];
  for (let piece = 1; piece <= 12; piece++) {
    for (const from of [0, 1, 7, 20, 44]) {
      const shown = characters.slice(from, from + 20).join("");
      const more = from + 20 < characters.length ? "... [truncated]" : "";
      assert.deepEqual(page(`\ufeff${line}\nshort\n`, 1, 1, piece, 20, from + 1).lines, [shown + more]);
    }
  }
});

test("bytes that are not UTF-8 are reported; U+FFFD in the text is not", () => {
  const range = { from: 1, to: 9, column: 1, maxLineChars: 20 };
  const lines = new PageLines(range);
  lines.add(Buffer.from([0x63, 0xe9, 0x0a]));
  assert.equal(lines.end().invalid, true);
  const valid = new PageLines(range);
  valid.add(Buffer.from("a\ufffdb\n"));
  assert.equal(valid.end().invalid, false);
});
