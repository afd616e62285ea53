import assert from "node:assert/strict";
import { test } from "node:test";
import { splitThinking } from "./split-thinking.ts";

// field: M11
test("treats text before a lone closing tag, and harmony's analysis channels, as thinking", () => {
  const cases: readonly (readonly [given: string, thinking: string, text: string])[] = [
    ["The user greets me.\n</think>\n\nHello!", "The user greets me.", "Hello!"],
    ["I should greet.</think>Hello!", "I should greet.", "Hello!"],
    ["hmm\n</THINK>\nHello!", "hmm", "Hello!"],
    ["</think>\n\nHello!", "", "Hello!"],
    ["Let me call it\n</thinking>", "Let me call it", ""],
    ["用户在打招呼。</think>\n\n你好！", "用户在打招呼。", "你好！"],
    [
      "<|channel|>analysis<|message|>The user greets.<|end|><|start|>assistant<|channel|>final<|message|>Hello!<|return|>",
      "The user greets.",
      "Hello!",
    ],
    ["<|start|>assistant<|channel|>final<|message|>Hello!", "", "Hello!"],
    [
      '<|channel|>analysis<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"a"}<|call|>',
      "I look.",
      '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"a"}<|call|>',
    ],
  ];
  for (const [given, thinking, text] of cases) assert.deepEqual(splitThinking(given), { thinking, text }, given);
});

// field: M11
test("a tag that the text only mentions stays text", () => {
  for (const text of [
    "The tag `</think>` ends it.",
    'The tag "</think>" ends it.',
    "Write the </think> tag after it.",
    "```\nthinking\n</think>\n\nanswer\n```\nThat is the format.",
    "First <think> opens.\n</think>\n\nThen it closes.",
    "Use <|channel|> for it.",
    "Hello!",
  ])
    assert.deepEqual(splitThinking(text), { thinking: "", text }, text);
});
