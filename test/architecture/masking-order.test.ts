import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SOURCES } from "./sources.ts";

const root = join(import.meta.dirname, "../..");

const filesWith = (pattern: RegExp): readonly string[] =>
  SOURCES.filter((file) => pattern.test(readFileSync(join(root, file), "utf8"))).toSorted();

// field: F01
test("values are masked before they are serialised: no code masks the JSON that it makes of one", () => {
  // `maskValue` and `maskField` of src/safety/secrets mask a value; only the first of them asks about JSON that it made.
  assert.deepEqual(filesWith(/\b(?:redact|mask|redactSteps)\w*\(\s*(?:`[^`]*\$\{\s*)?JSON\.stringify\(/), [
    "src/safety/secrets/mask-value.ts",
  ]);
});

test("one function makes redactors, so that every text is masked by the same grammar", () => {
  assert.deepEqual(filesWith(/createRedactor\(/), [
    "src/host/app/prepare-environment.ts",
    "src/safety/secrets/redact.ts",
  ]);
});
