import assert from "node:assert/strict";
import { test } from "node:test";
import { wellFormed, wellFormedCalls, wellFormedJson } from "./well-formed.ts";

const HALF = "\ud99c";

// field: M01
test("replaces half a character in strings, lists and keys, and returns a whole value itself", () => {
  assert.deepEqual(wellFormed({ [`a${HALF}`]: [`b${HALF}c`, { deep: `${HALF}` }], n: 1, none: null }), {
    "a\ufffd": ["b\ufffdc", { deep: "\ufffd" }],
    n: 1,
    none: null,
  });
  const whole = { text: "🦀 漢字", list: ["\ufffd"], bytes: new Uint8Array([1]), key: undefined };
  assert.equal(wellFormed(whole), whole);
  assert.equal(wellFormed(`🦀${HALF}`), "🦀\ufffd");
});

// field: M01
test("replaces escapes of half a character in JSON text, and nothing that only looks like one", () => {
  const cases: readonly (readonly [given: string, right: string])[] = [
    [String.raw`{"path":"\ud99c"}`, String.raw`{"path":"\ufffd"}`],
    [String.raw`{"path":"\uDC9C.txt"}`, String.raw`{"path":"\ufffd.txt"}`],
    [String.raw`{"a":"\ud83e\udd80"}`, String.raw`{"a":"\ud83e\udd80"}`],
    [String.raw`{"a":"\ud83e\ud83e\udd80\udd80"}`, String.raw`{"a":"\ufffd\ud83e\udd80\ufffd"}`],
    [String.raw`{"a":"\ud83e\n\udd80"}`, String.raw`{"a":"\ufffd\n\ufffd"}`],
    // An escaped backslash, then text.
    [String.raw`{"a":"\\ud99c"}`, String.raw`{"a":"\\ud99c"}`],
    [String.raw`{"a":"\\\ud99c"}`, String.raw`{"a":"\\\ufffd"}`],
    [String.raw`{"a":"\u00e9\t\"}`, String.raw`{"a":"\u00e9\t\"}`],
    // Not JSON, as a model wrote it.
    [String.raw`{"a": "\ud99c`, String.raw`{"a": "\ufffd`],
    [`{"a":"${HALF}"}`, '{"a":"\ufffd"}'],
  ];
  for (const [given, right] of cases) assert.equal(wellFormedJson(given), right);
});

// field: M01
test("repairs the arguments of calls as JSON and other text as text", () => {
  const escape = String.raw`{"a":"\ud99c"}`;
  assert.deepEqual(
    wellFormedCalls({
      type: "model.answered",
      parts: [
        { type: "text", text: escape },
        { type: "tool-call", args: escape, tool: `t${HALF}` },
      ],
    }),
    {
      type: "model.answered",
      parts: [
        { type: "text", text: escape },
        { type: "tool-call", args: String.raw`{"a":"\ufffd"}`, tool: "t\ufffd" },
      ],
    },
  );
});
