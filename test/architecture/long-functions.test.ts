import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { longFunctions } from "./long-functions.ts";
import { SOURCES } from "./sources.ts";

const ROOT = join(import.meta.dirname, "../..");
const LIMIT = 120;

/** The suites that plugins of a slot run: their bodies are tests. */
const SUITES = /^src\/testing\/[a-z]+-contract\.ts$/;

test(`no function has more than ${LIMIT} lines`, () => {
  const files = [...SOURCES, ...globSync(["scripts/**/*.ts", "bench/**/*.ts"], { cwd: ROOT })].filter(
    (file) => !file.includes("node_modules") && !file.endsWith(".test.ts") && !SUITES.test(file),
  );
  assert.ok(files.includes("src/host/app/open-app.ts"), "the glob finds the sources");
  const long = files.flatMap((file) =>
    longFunctions(file, readFileSync(join(ROOT, file), "utf8"), LIMIT).map(
      ({ line, name, lines }) => `${file}:${line} ${name} has ${lines} lines: split it by responsibility`,
    ),
  );
  assert.deepEqual(long, []);
});

test("finds long functions, methods and arrow functions, also inside others", () => {
  const text = `export function outer() {
  const inner = () => {
    return 1;
  };
  return { method() {
    return inner;
  } };
}
class Shape {
  area() {
    return 0;
  }
}
`;
  assert.deepEqual(longFunctions("shape.ts", text, 2), [
    { line: 1, name: "outer", lines: 8 },
    { line: 2, name: "inner", lines: 3 },
    { line: 5, name: "method", lines: 3 },
    { line: 10, name: "area", lines: 3 },
  ]);
  assert.deepEqual(longFunctions("shape.ts", text, 8), []);
});

test("does not count a long table outside a function", () => {
  assert.deepEqual(longFunctions("table.ts", `export const TABLE = [${"\n  1,".repeat(20)}\n];`, 10), []);
});
