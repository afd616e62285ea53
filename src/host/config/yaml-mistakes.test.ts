import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSettings } from "./parse-settings.ts";

const MISTAKES: readonly (readonly [text: string, ...message: readonly string[]])[] = [
  ["agent:\n\tmax_turns: 5\n", "2:1 This line is indented with a tab. Indent with spaces."],
  ["agent:\n  max_turns: 5\nmodel: x\nagent:\n  max_turns: 6\n", '4:1 "agent" occurs twice. The first is in line 1.'],
  [
    "a:\n  b:\n    - x: 1\n      x: 2\nc: 1\nc: 2\n",
    '4:7 "x" occurs twice. The first is in line 3.',
    '6:1 "c" occurs twice. The first is in line 5.',
  ],
  ["a: 1\n---\nb: 2\n", "2:1 A line with --- starts a second document here. The file must contain only one."],
  ["a: {x: 1\n", "2:1 A { or [ before this is not closed."],
  ["a:\n  b: 1\n c:\n", "3:1 This line is not indented like the other lines of its block."],
  ['a: "open\nb: 1\n', "3:1 A quote before this is not closed."],
  ["a: b: c\n", "1:4 A value that contains a colon needs quotes, or the next line is indented too far."],
  ["a: @x\n", "1:4 A value that begins with @ needs quotes."],
  ["max_turns:5\nb: 2\n", "1:1 A key has no colon, or no space after the colon. Write key: value."],
  ["a: 'it's'\n", "1:8 Text follows the end of a value. Is there a quote too many, or one too few?"],
  ["- a\nb: 1\n", "2:1 Text follows the end of a value. Is there a quote too many, or one too few?"],
  ["a: *nope\n", "1:1 The alias *nope is undefined: no &nope precedes it."],
  [`a: ${"[".repeat(20_000)}`, "1:* It is nested too deeply."],
  ["- agent\n", "1:1 The file must be a map: lines of `key: value`."],
];

for (const [text, ...message] of MISTAKES) {
  test(`reports the mistake in ${JSON.stringify(text.slice(0, 40))} once, with its position`, async () => {
    const { problems } = await parseSettings(text);
    assert.deepEqual(
      problems.map(({ line, column, text }) => `${line}:${column > 100 ? "*" : column} ${text}`),
      message,
    );
  });
}
