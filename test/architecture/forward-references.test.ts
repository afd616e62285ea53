import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { forwardReferences } from "./forward-references.ts";
import { SOURCES } from "./sources.ts";

const root = join(import.meta.dirname, "../..");

test("no stage of the composition root uses a value that is created later", () => {
  const files = SOURCES.filter((file) => file.startsWith("src/host/app/"));
  assert.ok(files.includes("src/host/app/open-app.ts"), "the composition root is in src/host/app");
  assert.deepEqual(
    files.flatMap((file) => forwardReferences(file, readFileSync(join(root, file), "utf8"))),
    [],
  );
});

test("finds a closure that mentions a variable declared later", () => {
  const text = `export function wire() {
  const web = open({ section: () => plugins.section });
  const plugins = start(web);
  const look = () => [desk, others.a];
  const { desk = 1, ...others } = plugins;
  return { web, plugins, look };
}`;
  assert.deepEqual(forwardReferences("wire.ts", text), [
    "wire.ts:2 mentions plugins, which is declared in line 3",
    "wire.ts:4 mentions desk, which is declared in line 5",
    "wire.ts:4 mentions others, which is declared in line 5",
  ]);
});

test("finds a variable without a value, also in a nested function", () => {
  assert.deepEqual(forwardReferences("wire.ts", "function wire() {\n  return () => {\n    let app!: App;\n  };\n}"), [
    "wire.ts:3 declares app without a value",
  ]);
});

test("accepts members, parameters, types, functions and constants with the same name or a later position", () => {
  const text = `export function wire(late: number) {
  const first = () => [one.late, { late: 1 }, helper(LATER), late];
  const second = (third: typeof fourth) => third as typeof fourth;
  const fourth = () => second(first());
  if (late) {
    const third = fourth;
    return third;
  }
  function helper(value: unknown) {
    return value;
  }
  return fourth;
}
const LATER = 1;`;
  assert.deepEqual(forwardReferences("wire.ts", text), []);
});
