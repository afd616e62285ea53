import assert from "node:assert/strict";
import { test } from "node:test";
import { blocksWith } from "./blocks.ts";
import { fromMrkdwn } from "./from-mrkdwn.ts";
import { toMessages, toMrkdwn } from "./to-mrkdwn.ts";

const OUT: readonly (readonly [markdown: string, slack: string])[] = [
  ["**bold** and *italics* and ~~gone~~", "*bold* and _italics_ and ~gone~"],
  ["# A **big** title", "*A big title*"],
  ["- one\n- two", "• one\n• two"],
  ["[the page](https://example.org/a?b=1&c=2)", "<https://example.org/a?b=1&amp;c=2|the page>"],
  ["<https://example.org>", "<https://example.org>"],
  ["`a < b && **c**`", "`a &lt; b &amp;&amp; **c**`"],
  ["```ts\nconst a = 1 < 2;\n```", "```\nconst a = 1 &lt; 2;\n```"],
  ["> quoted", "&gt; quoted"],
  ["2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"],
  ["hello <@U701> in <#C52>", "hello <@U701> in <#C52>"],
  ["<!channel> <!subteam^S1>", "&lt;!channel&gt; &lt;!subteam^S1&gt;"],
  ["\u00000\u0000 \u0001x\u0001", "0 x"],
];

for (const [markdown, slack] of OUT)
  test(`writes ${JSON.stringify(markdown)} as mrkdwn`, () => assert.equal(toMrkdwn(markdown), slack));

test("reads links, mentions, channels and escapes as words", () => {
  const names = new Map([["U702", "bob"]]);
  const text =
    "<@U702> <@U9|eve> in <#C52|team>: <https://a.org|a.org> <https://b.org|see b> <mailto:a@b.c|a@b.c> <!here> &lt;b&gt; &amp;amp;";
  assert.equal(
    fromMrkdwn(text, names),
    "@bob @eve in #team: https://a.org see b (https://b.org) a@b.c @here <b> &amp;",
  );
});

test("a text that its escapes make too long goes as several messages, whole and without cutting a sign", () => {
  const text = `${"&".repeat(20_001)}${"🦀".repeat(9_000)}`;
  const messages = toMessages(text);
  assert.ok(messages.length > 1 && messages.every((one) => one.length <= 40_000));
  assert.equal(messages.join("").replaceAll("&amp;", "&"), text);
  assert.ok(messages.every((one) => one.isWellFormed()));
});

test("a long question keeps its whole text over its buttons", () => {
  const text = `${"x".repeat(2_990)}\n${"y".repeat(4_000)}`;
  const blocks = blocksWith(text, { buttons: [{ label: "z".repeat(90), data: "q" }] }) as readonly {
    readonly type: string;
    readonly text?: { readonly text: string };
  }[];
  assert.deepEqual(
    blocks.map(({ type }) => type),
    ["section", "section", "section", "actions"],
  );
  assert.equal(blocks.map((one) => one.text?.text ?? "").join(""), text);
});
