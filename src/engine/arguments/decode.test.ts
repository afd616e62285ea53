import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeArguments, decodeObject } from "./decode.ts";
import { Stopwatch } from "../../testing/stopwatch.ts";

const failed = (what: string) => ({ ok: false, message: `The arguments cannot be read: ${what}. Nothing was run.` });
const refused = (text: string): string => {
  const decoded = decodeArguments(text, false);
  return decoded.ok ? "" : decoded.message;
};
const CUT =
  "they end too early; the answer was probably cut off, so send the call again, in smaller pieces if it is long";

test("removes wrapping that cannot change the meaning, for every tool", () => {
  for (const text of ['{"a":1}', ' {"a":1}\n', '"{\\"a\\":1}"', '```json\n{"a":1}\n```', '```\n{"a":1}```']) {
    assert.deepEqual(decodeArguments(text, false), { ok: true, args: { a: 1 } }, text);
  }
  for (const text of ["", "  ", "null", '""', "{}"])
    assert.deepEqual(decodeArguments(text, false), { ok: true, args: {} }, text);
});

test("repairs loose JSON for tools that change nothing, and refuses it for all others", () => {
  const loose: readonly [string, object][] = [
    ['{"a":1,}', { a: 1 }],
    ["{'a': 'it\\'s \"x\"'}", { a: 'it\'s "x"' }],
    ['{"a":[1,2,],"b":"x,}"}', { a: [1, 2], b: "x,}" }],
    ["{'a': True, 'b': None, 'c': False}", { a: true, b: null, c: false }],
  ];
  for (const [text, args] of loose) {
    assert.deepEqual(decodeArguments(text, true), { ok: true, args }, text);
    assert.match(
      refused(text),
      /^The arguments cannot be read: they are not valid JSON: (?:Expected|Unexpected) .*\. Nothing was run\.$/,
      text,
    );
  }
});

test("an error names the problem and its position, without the text around it", () => {
  for (const [text, why] of [
    ['{"path":"a","content":"say \\q"}', /Bad escaped character at position 28/],
    ['{"path":"a","content":"one\ntwo"}', /Bad control character in string literal at position 26/],
    ['{"a":1,}', /Expected double-quoted property name at position 7/],
    ["key=secret-value", /they are not valid JSON: Unexpected token 'k'\. Nothing was run\.$/],
  ] as const) {
    assert.match(refused(text), why, text);
    assert.doesNotMatch(refused(text), /secret-value|say/);
  }
});

// req: R-66
test("accepts a repeated object for every tool, ignores text after it for tools that change nothing, refuses a different object", () => {
  for (const text of ['{"a":1}{"a":1}', '{"a":1}\n{"a":1}\n{"a":1}', '"{\\"a\\":1}{\\"a\\":1}"'])
    assert.deepEqual(decodeArguments(text, false), { ok: true, args: { a: 1 } }, text);
  assert.deepEqual(decodeArguments('{"a":"}"} and now I read it.', true), { ok: true, args: { a: "}" } });
  for (const text of ['{"a":1}{"a":2}', '{"a":1} {"a":1', '{"a":1}[1]'])
    assert.equal(decodeArguments(text, true).ok, false, text);
  assert.deepEqual(
    decodeArguments('{"a":1} and now I read it.', false),
    failed("something follows the JSON object; make one call for each object"),
  );
});

// row 28 of the fault matrix
test("rejects truncated tool arguments instead of completing them", () => {
  for (const text of ['{"path":"a", "content":"rm -rf /home/me/pro', '{"a":[1,2', '{"a":{"b":1}', '```json\n{"a":1']) {
    assert.equal(decodeArguments(text, true).ok, false, text);
  }
  assert.deepEqual(decodeArguments('{"a":[1,2', true), failed(CUT));
});

// row 28 of the fault matrix
test("refuses tool arguments that JSON.parse accepts: duplicate keys, a prototype's key, endless nesting", () => {
  assert.deepEqual(decodeArguments('{"path":"a","path":"/etc"}', true), failed('the key "path" occurs twice'));
  assert.deepEqual(decodeArguments('{"x":{"p\\u0061th":1,"path":2}}', true), failed('the key "path" occurs twice'));
  assert.deepEqual(decodeArguments('{"a":{"__proto__":{"x":1}}}', true), failed('the key "__proto__" is not allowed'));
  assert.deepEqual(
    decodeArguments(`{"a":${"[".repeat(200)}${"]".repeat(200)}}`, true),
    failed("they are nested more than 100 deep"),
  );
});

test("accepts the same key in two objects, and quotes and braces in strings", () => {
  const args = { list: [{ k: '{"k":1,' }, { k: "\\" }], k: 'a"b' };
  assert.deepEqual(decodeArguments(JSON.stringify(args), false), { ok: true, args });
});

test("refuses arguments that are too long or not an object", () => {
  for (const text of ["1", "[1]", "true", '"\\"x\\""', '"[1]"'])
    assert.equal(decodeArguments(text, true).ok, false, text);
  for (const nothing of ["[]", " [ ] ", "```json\n[]\n```"])
    assert.deepEqual(decodeArguments(nothing, false), { ok: true, args: {} });
  assert.deepEqual(decodeArguments("[1]", true), failed("they are not a JSON object"));
  assert.deepEqual(
    decodeArguments(`{"a":"${"x".repeat(3_000_000)}"}`, true),
    failed("they are 3000008 characters long; the limit is 2097152"),
  );
});

test("decodes a long text in linear time", () => {
  const args = { content: `${'\\\\\\"'.repeat(200_000)}` };
  const watch = new Stopwatch();
  assert.deepEqual(decodeArguments(JSON.stringify(args), true), { ok: true, args });
  watch.assertWithin(1_000);
});

test("refuses arguments from code that JSON cannot represent", () => {
  assert.deepEqual(decodeObject({ a: undefined, b: [1] }), { ok: true, args: { b: [1] } });
  const circle: { [key: string]: never } = {};
  circle.self = circle as never;
  assert.equal(decodeObject(circle).ok, false);
  assert.equal(decodeObject({ n: 1n as never }).ok, false);
  assert.equal(decodeObject(undefined as never).ok, false);
  assert.equal(decodeObject([] as never).ok, false);
  assert.equal(decodeObject(JSON.parse('{"__proto__":{}}')).ok, false);
});

test("a model's integer that would be rounded becomes its digits as text; a number from code stays a number", () => {
  assert.deepEqual(decodeArguments('{"id":1234567890123456789,"n":5}', false), {
    ok: true,
    args: { id: "1234567890123456789", n: 5 },
  });
  assert.deepEqual(decodeObject({ n: 1e20 }), { ok: true, args: { n: 1e20 } });
});
