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
/** Functions that still are longer. Remove the line of a function when you split it. */
const OPEN: readonly { readonly since: string; readonly file: string; readonly name: string }[] = [
  { since: "2026-11-28", file: "plugins/tool-file/index.ts", name: "register" },
  { since: "2026-11-28", file: "plugins/tool-file/search/search-files.ts", name: "searchFiles" },
];

test(`no function has more than ${LIMIT} lines`, () => {
  const files = [...SOURCES, ...globSync(["scripts/**/*.ts", "bench/**/*.ts"], { cwd: ROOT })].filter(
    (file) => !file.includes("node_modules") && !file.endsWith(".test.ts") && !SUITES.test(file),
  );
  assert.ok(files.includes("src/host/app/open-app.ts"), "the glob finds the sources");
  const long = files.flatMap((file) =>
    longFunctions(file, readFileSync(join(ROOT, file), "utf8"), LIMIT).map((each) => ({ file, ...each })),
  );
  const isOpen = (one: { readonly file: string; readonly name: string }) =>
    OPEN.some(({ file, name }) => file === one.file && name === one.name);
  assert.deepEqual(
    long
      .filter((one) => !isOpen(one))
      .map(({ file, line, name, lines }) => `${file}:${line} ${name} has ${lines} lines: split it by responsibility`),
    [],
  );
  assert.deepEqual(
    OPEN.filter(({ file, name }) => !long.some((one) => one.file === file && one.name === name)),
    [],
    "These functions are short now: remove them from the list.",
  );
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
