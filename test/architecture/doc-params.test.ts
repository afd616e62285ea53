import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SOURCES } from "./sources.ts";

const root = join(import.meta.dirname, "../..");
/** A doc comment with `@param`, and the text in which the parameters of its function are. */
const DOCUMENTED = /\/\*\*((?:(?!\*\/)[^])*?@param(?:(?!\*\/)[^])*)\*\/(?=([^]{1,700}))/g;

test("every @param names a parameter of its function", () => {
  const wrong = SOURCES.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(DOCUMENTED)].flatMap(([, comment = "", code = ""]) =>
      [...comment.matchAll(/@param (?:\w+\.)?(\w+)/g)]
        .filter(([, name]) => !new RegExp(`\\b${name}\\b`).test(code))
        .map(([, name]) => `${file}: @param ${name}`),
    ),
  );
  assert.deepEqual(wrong, []);
});
