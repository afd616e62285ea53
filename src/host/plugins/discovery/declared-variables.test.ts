import assert from "node:assert/strict";
import { test } from "node:test";
import { declaredVariables, withheldFromTools } from "./declared-variables.ts";

const manifest = {
  name: "tides",
  version: "1",
  description: "",
  kind: "standalone",
  requires_env: [{ name: "TIDES_TOKEN", hosts: ["tides.example"] }],
  optional_env: [],
  provides_tools: [],
  provides_hooks: [],
} as const;
const values: { readonly [name: string]: string } = {
  TIDES_TOKEN: "t",
  OPENAI_API_KEY: "k",
  DATABASE: "postgres://me:password@db/x",
  REGION: "north",
};
const environment = { get: (name: string) => values[name] };
const ofTools = [
  { name: "OPENAI_API_KEY" },
  { name: "DATABASE" },
  { name: "REGION" },
  { name: "UNSET_API_KEY" },
  { name: "TIDES_TOKEN" },
];
const names = (plugin: Parameters<typeof declaredVariables>[0]) =>
  declaredVariables(plugin, ofTools, environment).map(({ name }) => name);

test("in a user's own plugin, a variable that a tool declares is passed", () => {
  assert.deepEqual(names({ manifest }), [
    "TIDES_TOKEN",
    "OPENAI_API_KEY",
    "DATABASE",
    "REGION",
    "UNSET_API_KEY",
    "TIDES_TOKEN",
  ]);
  assert.deepEqual(withheldFromTools({ manifest }, ofTools, environment), []);
});

test("in a plugin from elsewhere, a tool's declaration yields no secret and does not send a declared one elsewhere", () => {
  const untrusted = { manifest, foreign: true };
  assert.deepEqual(declaredVariables(untrusted, ofTools, environment), [
    { name: "TIDES_TOKEN", hosts: ["tides.example"] },
    { name: "REGION" },
  ]);
  assert.deepEqual(withheldFromTools(untrusted, ofTools, environment), ["OPENAI_API_KEY", "DATABASE"]);
});
