import assert from "node:assert/strict";
import { test } from "node:test";
import { serveContext } from "./serve-context.ts";

const onWire = async (text: string): Promise<string> =>
  JSON.stringify(await serveContext("yaml.parse", { text }, undefined as never, undefined, undefined));

// field: C02
test("integers beyond 2^53 in YAML keep their digits on the wire, and other values are unchanged", async () => {
  assert.equal(
    await onWire("id: 1234567890123456789\nids: [-9007199254740993, 7]\nmap: { deep: 0x20000000000001 }\n"),
    '{"value":{"id":1234567890123456789,"ids":[-9007199254740993,7],"map":{"deep":9007199254740993}}}',
  );
  assert.equal(
    await onWire('max: 9007199254740991\nhalf: 0.5\ntext: "1234567890123456789"\nnone:\non: true\n'),
    '{"value":{"max":9007199254740991,"half":0.5,"text":"1234567890123456789","none":null,"on":true}}',
  );
  assert.equal(await onWire(""), '{"value":null}');
  assert.match(await onWire("a: [1"), /^\{"error":/);
});

test("integers beyond 2^53 from a plugin keep their digits in YAML, and strings of digits stay strings", async () => {
  const print = (params: object) =>
    serveContext("yaml.print", params as never, undefined as never, undefined, undefined);
  const value = { id: "1234567890123456789", ids: [7, "-9007199254740993"], text: "1234567890123456789" };
  assert.equal(
    await print({ value, whole: [["id"], ["ids", 1]] }),
    'id: 1234567890123456789\nids:\n  - 7\n  - -9007199254740993\ntext: "1234567890123456789"\n',
  );
  assert.equal(await print({ value: "18446744073709551616", whole: [[]] }), "18446744073709551616\n");
  assert.equal(await print({ value: { a: 1 } }), "a: 1\n");
  assert.equal(
    await print({ value: { a: { b: null } }, whole: [["a", "b"], ["x", "y", "z"], "odd"] }),
    "a:\n  b: null\n",
  );
});
