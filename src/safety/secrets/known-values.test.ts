import assert from "node:assert/strict";
import { test } from "node:test";
import { createKnownMask } from "./known-values.ts";

const KEY = "k3y-of-the-lab-77AA88bb99";

/** As `base64` writes it: lines of so many characters. */
const wrapped = (text: string, width: number, newline: string): string =>
  text.replace(new RegExp(`.{${width}}`, "g"), `$&${newline}`);

// field: S05
test("masks a value in the base64 of a longer stream at each alignment, across line breaks, gutters and escapes", () => {
  for (const [name, mask] of [
    ["few values", createKnownMask(() => [KEY])],
    ["many values", createKnownMask(() => [...Array.from({ length: 40 }, (_, i) => `${i}another-value-${i}`), KEY])],
  ] as const)
    for (let lead = 0; lead < 60; lead++)
      for (const encoding of ["base64", "base64url", "hex"] as const)
        for (const [width, newline] of [
          [76, "\n"],
          [64, "\r\n"],
          [60, "\n    "],
          [76, "\\n"],
          [76, "\\\\r\\\\n"],
          [76, "\n12|"],
        ] as const) {
          const plain = Buffer.from(`${"x".repeat(lead)}${KEY}${"yz".repeat(90)}`).toString(encoding);
          const text = wrapped(plain, width, newline);
          const found = mask(text);
          const joined = found.replaceAll(newline, "");
          const what = `${name}, ${lead} before, ${encoding}, ${width} wide, ${JSON.stringify(newline)}`;
          assert.equal(found.split(newline).length, text.split(newline).length, `${what}: line breaks stay`);
          const [before = "", ...rest] = joined.split("[REDACTED]");
          assert.ok(rest.length > 0, what);
          assert.ok(plain.startsWith(before) && plain.endsWith(rest.at(-1)!), `${what}: all else stays`);
          // At most the letters that also hold bits of the neighbours are left of the value.
          const left = before.length + rest.at(-1)!.length;
          const whole = encoding === "hex" ? KEY.length * 2 : Math.floor((KEY.length * 8) / 6);
          assert.ok(plain.length - left >= whole - 2, what);
        }
});

test("does not join ordinary lines, and finds no value in them", () => {
  const mask = createKnownMask(() => ["part-oneword-two"]);
  for (const text of [
    "see part-one\nword-two of it",
    "a line that ends with part-one\nword-two begins the next",
    `${"a".repeat(40)}!\npart-oneword`,
  ])
    assert.equal(mask(text), text);
});

test("searches a base64 run longer than one chunk completely", () => {
  const mask = createKnownMask(() => [KEY]);
  const plain = Buffer.from(`${"x".repeat(200_000)}${KEY}${"y".repeat(1000)}`).toString("base64");
  const found = mask(wrapped(plain, 76, "\n"));
  assert.ok(found.includes("[REDACTED]"));
  assert.equal(
    found.replaceAll("\n", "").split("[REDACTED]")[0],
    plain.slice(0, found.replaceAll("\n", "").indexOf("[")),
  );
});
