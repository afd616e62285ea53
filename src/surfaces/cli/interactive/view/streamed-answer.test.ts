import assert from "node:assert/strict";
import { test } from "node:test";
import type { Io } from "../../../shared/process/io.ts";
import { StreamedAnswer } from "./streamed-answer.ts";
import { themeOf } from "./theme.ts";

const theme = themeOf({ style: (_: unknown, text: string) => text } as unknown as Io);

const ANSWER = `# A title

First paragraph with **bold** words.

Second one, *italic* and \`code\`.
It has two lines.

- one
- two

  still two
- three

1. first

2. second

\`\`\`js
const a = 1;

const b = 2;
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

> quoted

Last words, 汉字 and 👩‍💻.`;

for (const size of [1, 3, 7, 1000]) {
  test(`an answer streamed in pieces of ${size} looks like the whole answer`, () => {
    const answer = new StreamedAnswer(theme);
    for (let from = 0; from < ANSWER.length; from += size) answer.add(ANSWER.slice(from, from + size));
    const streamed = answer.render(60).map((line) => line.trimEnd());
    answer.settle(ANSWER);
    assert.deepEqual(
      streamed,
      answer.render(60).map((line) => line.trimEnd()),
    );
  });
}

test("lays out complete blocks once", () => {
  const answer = new StreamedAnswer(theme);
  for (let index = 0; index < 100; index++) answer.add(`Paragraph ${index} of many.\n\n`);
  assert.ok(answer.children.length >= 99);
  const [first] = answer.children;
  const before = first?.render(60);
  answer.add("More.\n\nAnd more.");
  assert.equal(first?.render(60), before, "the very same lines: nothing was laid out again");
});
