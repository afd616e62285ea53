import assert from "node:assert/strict";
import { test } from "node:test";
import { windowInError } from "./window-in-error.ts";

// field: M07
test("finds the window size in error messages about too long requests, and no other number", () => {
  const cases: readonly (readonly [text: string, window: number | undefined])[] = [
    [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens (8000 in the messages, 1000 in the functions).",
      8192,
    ],
    ["This model's maximum context length is 131,072 tokens, however you requested 140000 tokens.", 131_072],
    ["prompt is too long: 210000 tokens > 200000 maximum", 200_000],
    ["input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000, decrease input length", 200_000],
    ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576],
    ["request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096],
    ['{"code":400,"type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}', 4096],
    ["This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131_072],
    ["Range of input length should be [1, 30720]", 30_720],
    [
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100 `max_new_tokens`",
      4096,
    ],
    [
      "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
      4096,
    ],
    ["The decoder prompt (length 40000) is longer than the maximum model length of 32768.", 32_768],
    ["Prompt is longer than the model allows.", undefined],
    ["Please reduce the length of the messages; try again in 20 seconds.", undefined],
  ];
  for (const [text, window] of cases) assert.equal(windowInError(text), window, text);
});
