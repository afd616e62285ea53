import assert from "node:assert/strict";
import { test } from "node:test";
import { callsAtTopLevel } from "./top-level-call.ts";

test("finds a call in the module's own body, whatever text surrounds it", () => {
  for (const source of [
    "registry.register({})",
    'import x from "y";\nregistry\n'.replace("registry\n", "") + "registry.register (\n{})",
    'const a = { b: [1, "}"] };\nregistry.register({})',
    "const r = /[{(/]/g;\nregistry.register({})",
    "const t = `a ${f({ a: `}` })} {`; registry.register({})",
    "/* { */ // {\nregistry.register({})",
    "const n = 4 / 2; const m = (1) / 2; registry.register({})",
    "const q = 'it\\'s {';\nregistry.register({})",
  ])
    assert.equal(callsAtTopLevel(source, "registry.register"), true, source);
});

test("ignores a call inside a function, a string or a comment", () => {
  for (const source of [
    "function f() { registry.register({}) }",
    "export const f = () => { registry.register({}) }",
    "const f = (() => registry.register({}));",
    '"registry.register({})"',
    "`registry.register({})`",
    "// registry.register({})",
    "/* registry.register({}) */",
    "other.registry.register({})",
    "myregistry.register({})",
    "const f = registry.register;",
    "if (x) { registry.register({}) }",
    "",
  ])
    assert.equal(callsAtTopLevel(source, "registry.register"), false, source);
});
