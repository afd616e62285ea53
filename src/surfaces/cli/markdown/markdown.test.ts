import assert from "node:assert/strict";
import { test } from "node:test";
import { visibleWidth } from "@earendil-works/pi-tui";
import { MarkdownView } from "./markdown-view.ts";
import type { MarkdownStyle } from "./markdown-style.ts";
import { MermaidDiagrams } from "./mermaid-diagrams.ts";
import { plainStyle } from "./plain-style.ts";

function drawn(text: string, columns = 60, style: Partial<MarkdownStyle> = {}): readonly string[] {
  return new MarkdownView({ ...plainStyle, ...style }, text, 0).render(columns);
}

test("aligns the columns of a table as it says, by the columns that a terminal uses", () => {
  assert.deepEqual(drawn("| 名称 | count | c |\n|:--|--:|:-:|\n| 网关 👩‍💻 | 7 | x |\n| b | 1000 | yyy |"), [
    "名称    │ count │  c",
    "────────┼───────┼────",
    "网关 👩‍💻 │     7 │  x",
    "b       │  1000 │ yyy",
  ]);
});

test("wraps the cells of a table that is too wide, and lists the rows if not even its words fit", () => {
  const table = "| name | text |\n|--|--|\n| a | one two three four |\n| b | five |";
  assert.deepEqual(drawn(table, 20), [
    "name │ text",
    "─────┼──────────────",
    "a    │ one two three",
    "     │ four",
    "─────┼──────────────",
    "b    │ five",
  ]);
  assert.deepEqual(drawn(table, 9), ["name: a", "text: one", "two three", "four", "", "name: b", "text:", "five"]);
});

test("wrapped code continues at its indentation", () => {
  assert.deepEqual(drawn("```ts\nif (a) {\n    return first(argument) + second(argument);\n}\n```", 32), [
    "── ts",
    "  if (a) {",
    "      return first(argument) +",
    "        second(argument);",
    "  }",
  ]);
});

test("wrapped code in colours continues at its indentation, and no character is lost or added", () => {
  const highlight = (code: string) => code.split("\n").map((line) => `\u001b[35m${line}\u001b[39m`);
  const lines = drawn(`\`\`\`\n    ${"x".repeat(60)}\n\`\`\``, 30, { highlight });
  // oxlint-disable-next-line no-control-regex -- the colours are not part of the text
  const texts = lines.map((line) => line.replaceAll(/\u001b\[[\d;]*m/g, ""));
  assert.deepEqual(
    texts.map((line) => /^ */.exec(line)![0].length),
    [6, 8, 8],
  );
  assert.equal(texts.map((line) => line.trim()).join(""), "x".repeat(60));
});

test("lists keep their numbers, marks and indentation", () => {
  assert.deepEqual(drawn("9. nine\n10. ten\n    - a word that wraps here\n- [ ] open\n- [x] done", 20), [
    " 9. nine",
    "10. ten",
    "    • a word that",
    "      wraps here",
    "",
    "☐ open",
    "☑ done",
  ]);
});

test("links open where the terminal can open them, and show their address elsewhere", () => {
  const link = "[the guide](https://example.org/g) and https://example.org/x。然后";
  assert.deepEqual(drawn(link, 100), ["the guide (https://example.org/g) and https://example.org/x。然后"]);
  assert.deepEqual(drawn(link, 100, { links: () => true }), [
    "\u001b]8;;https://example.org/g\u001b\\the guide\u001b]8;;\u001b\\ and " +
      "\u001b]8;;https://example.org/x\u001b\\https://example.org/x\u001b]8;;\u001b\\。然后",
  ]);
  assert.deepEqual(drawn("[a](javascript:x)", 100, { links: () => true }), ["a (javascript:x)"]);
});

test("formulas are drawn, prices and shell variables are not formulas", () => {
  assert.deepEqual(drawn("$a_1 + b^2$ costs $5 and $6, `$x_y`, $HOME/a_b"), [
    "a₁ + b² costs $5 and $6, $x_y, $HOME/a_b",
  ]);
  assert.deepEqual(drawn("$$\n\\frac{a}{b}\n$$"), ["a", "─", "b"]);
});

test("emphasis works beside Chinese punctuation", () => {
  assert.deepEqual(drawn("**中文。**后", 60, { bold: (text) => `<${text}>` }), ["<中文。>后"]);
});

const diagrams = new MermaidDiagrams(() => {});

test("draws a flowchart as text, with wide characters and arrows without spaces", async () => {
  await diagrams.load();
  assert.deepEqual(diagrams.draw("graph LR\nA[用户]-->B[网关]", 40), [
    "┌──────┐    ┌──────┐",
    "│      │    │      │",
    "│ 用户 ├───►│ 网关 │",
    "│      │    │      │",
    "└──────┘    └──────┘",
  ]);
});

test("draws a sequence diagram, and a flowchart downwards where it does not fit to the right", async () => {
  await diagrams.load();
  const sequence = diagrams.draw("sequenceDiagram\nAlice->>Bob: hello", 40);
  assert.match(sequence!.join("\n"), /Alice[\s\S]*hello[\s\S]*▶/);
  const chain = "flowchart LR\nA[first step]-->B[second step]\nB-->C[third step]";
  const widest = (columns: number): number => Math.max(...diagrams.draw(chain, columns)!.map(visibleWidth));
  assert.ok(widest(80) > 40);
  assert.ok(widest(24) <= 24);
});

test("shows a diagram that it cannot draw as code", async () => {
  await diagrams.load();
  assert.equal(diagrams.draw("gantt\ntitle x", 40), undefined);
  assert.equal(diagrams.draw("graph LR\nA[much too wide for this]-->B", 12), undefined);
  const diagram = (source: string, columns: number) => diagrams.draw(source, columns);
  assert.deepEqual(drawn("```mermaid\ngantt\n```", 40, { diagram }), ["── mermaid", "  gantt"]);
});
