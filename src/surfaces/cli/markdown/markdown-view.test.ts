import assert from "node:assert/strict";
import { test } from "node:test";
import { MarkdownView } from "./markdown-view.ts";
import { plainStyle } from "./plain-style.ts";

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
    const answer = new MarkdownView(plainStyle);
    for (let from = 0; from < ANSWER.length; from += size) answer.add(ANSWER.slice(from, from + size));
    const streamed = answer.render(60).map((line) => line.trimEnd());
    answer.settle(ANSWER);
    assert.deepEqual(
      streamed,
      answer.render(60).map((line) => line.trimEnd()),
    );
  });
}

test("lays out finished blocks once", () => {
  let laidOut = 0;
  const view = new MarkdownView({ ...plainStyle, code: (text) => (laidOut++, text) });
  for (let index = 0; index < 100; index++) {
    view.add(`Paragraph \`${index}\` of many.\n\n`);
    view.render(60);
  }
  assert.ok(laidOut <= 200, `${laidOut} times for 100 paragraphs`);
  assert.match(view.render(60).join("\n"), /Paragraph 0 of many\.\n\n Paragraph 1 of many/);
});

test("colours a long block of code that grows a few times, and wholly once it is complete", () => {
  let coloured = 0;
  const highlight = (code: string) => (coloured++, code.split("\n").map((line) => `<${line}>`));
  const view = new MarkdownView({ ...plainStyle, highlight }, "", 0);
  const code = Array.from({ length: 400 }, (_, at) => `const value${at} = ${at};`).join("\n");
  view.add("```ts\n");
  for (let at = 0; at < code.length; at += 10) {
    view.add(code.slice(at, at + 10));
    view.render(60);
  }
  assert.ok(coloured < 200, `${coloured} times`);
  view.settle(`\`\`\`ts\n${code}\n\`\`\``);
  assert.equal(view.render(60).filter((line) => /^ {2}<const value\d+ = \d+;>$/.test(line)).length, 400);
});
