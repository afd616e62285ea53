import assert from "node:assert/strict";
import { test } from "node:test";
import { Script } from "node:vm";
import { asScript } from "./build-script.ts";

const FILES = { script: "room.script.js", runPiece: "../run-piece.js" };

test("turns a module of a bundle into a script that returns its exports, and a module that re-exports them", async () => {
  const code =
    'import{a as plus,b}from"./other.mjs";import"./effect.mjs";const here=import.meta.dirname;function sum(x){return plus(x,b)}const later=()=>import("./late.mjs");export{sum as s,here,later};';
  const { script, door } = asScript(code, FILES);
  const run = new Script(script).runInThisContext() as (...given: unknown[]) => {
    s(x: number): number;
    here: string;
    later(): Promise<unknown>;
  };
  const room = run(
    [{ a: (x: number, y: number) => x + y, b: 40 }, {}],
    { dirname: "/rooms" },
    async (specifier: string) => specifier,
  );
  assert.equal(room.s(2), 42);
  assert.equal(room.here, "/rooms");
  assert.equal(await room.later(), "./late.mjs");
  assert.match(
    door,
    /^import\*as o0 from"\.\/other\.mjs";import\*as o1 from"\.\/effect\.mjs";import\{runPiece\}from"\.\.\/run-piece\.js";/,
  );
  assert.match(door, /export\{_s as s,_here as here,_later as later\};\n$/);
});

test("contains the scripts of small modules instead of importing them", () => {
  const small = asScript("const two=2,here=import.meta.dirname;export{two as t,here as h};", FILES).script;
  const { script, door } = asScript(
    'import{t as two,h}from"./small.mjs";import{a}from"./other.mjs";const sum=two+a;export{sum,h};',
    { ...FILES, inlined: new Map([["./small.mjs", small]]) },
  );
  const run = new Script(script).runInThisContext() as (...given: unknown[]) => { sum: number; h: string };
  const room = run([{ a: 40 }], { dirname: "/rooms" }, undefined);
  assert.deepEqual([room.sum, room.h], [42, "/rooms"]);
  assert.ok(door.startsWith('import*as o0 from"./other.mjs";import{runPiece}from'), door);
});

test("leaves text that only looks like an import, and a comment at the end hides no code", () => {
  const { script } = asScript(
    'const text="import(x) import.meta export{}";export{text as t}\n//# sourceMappingURL=room.map',
    FILES,
  );
  const run = new Script(script).runInThisContext() as (...given: unknown[]) => { t: string };
  assert.equal(run([], {}, undefined).t, "import(x) import.meta export{}");
});

test("rejects syntax that bundles do not use, and names the file", () => {
  for (const code of [
    "export default 1;",
    'export * from "./x.mjs";',
    "export const a=1;",
    'import*as all from"./x.mjs";export{all as a};',
    "const $load=1;export{$load as l};",
  ]) {
    assert.throws(() => asScript(code, FILES), /^Error: room\.script\.js: /, code);
  }
});
