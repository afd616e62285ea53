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

test("a tool's word is enough in a plugin of one's own", () => {
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

test("of a plugin from elsewhere it gives no secret, nor sends one that the manifest names anywhere else", () => {
  const untrusted = { manifest, foreign: true };
  assert.deepEqual(declaredVariables(untrusted, ofTools, environment), [
    { name: "TIDES_TOKEN", hosts: ["tides.example"] },
    { name: "REGION" },
  ]);
  assert.deepEqual(withheldFromTools(untrusted, ofTools, environment), ["OPENAI_API_KEY", "DATABASE"]);
});
