import assert from "node:assert/strict";
import { test } from "node:test";
import { addressesIn } from "./addresses-in.ts";

// field: C04
test("finds the targets of links and addresses that are written out, without the punctuation around them", () => {
  for (const [text, addresses] of [
    [
      "[Green](https://tea.example/a?x=1&y=2) and [more](http://b.example/c_(d))",
      ["https://tea.example/a?x=1&y=2", "http://b.example/c_(d)"],
    ],
    ["See https://tea.example/a. Or (https://b.example/)!", ["https://tea.example/a", "https://b.example/"]],
    ['{"url": "https://tea.example/j", "n": "http://b.example"}', ["https://tea.example/j", "http://b.example"]],
    ["<https://tea.example/x> **https://b.example/y**", ["https://tea.example/x", "https://b.example/y"]],
    ["HTTPS://TEA.example/Q#part", ["HTTPS://TEA.example/Q#part"]],
    ["tea.example, ftp://tea.example/ and //tea.example/", []],
  ] as const)
    assert.deepEqual(addressesIn(text), addresses, text);
});
