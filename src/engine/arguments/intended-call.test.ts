import assert from "node:assert/strict";
import { test } from "node:test";
import { meantCall } from "./intended-call.ts";

const CASES: readonly (readonly [why: string, tool: string, args: string, meant: readonly [string, string]])[] = [
  ["a call of its own", "terminal", '{"command":"ls"}', ["terminal", '{"command":"ls"}']],
  [
    "over the bridge",
    "tool_call",
    '{"name":"weather","arguments":{"city":"London"}}',
    ["weather", '{"city":"London"}'],
  ],
  [
    "arguments as JSON text",
    "tool_call",
    '{"name":"weather","arguments":"{\\"city\\":\\"London\\"}"}',
    ["weather", '{"city":"London"}'],
  ],
  ["no arguments", "tool_call", '{"name":"today"}', ["today", "{}"]],
  ["in a code fence", "tool_call", '```json\n{"name":"today","arguments":{}}\n```', ["today", "{}"]],
  ["without a name", "tool_call", '{"arguments":{}}', ["tool_call", '{"arguments":{}}']],
  ["not JSON", "tool_call", '{"name":"weather"', ["tool_call", '{"name":"weather"']],
  [
    "of the bridge itself",
    "tool_call",
    '{"name":"tool_call","arguments":{"name":"terminal"}}',
    ["tool_call", '{"name":"tool_call","arguments":{"name":"terminal"}}'],
  ],
];

for (const [why, tool, args, [meant, inner]] of CASES)
  test(`the call that is meant: ${why}`, () =>
    assert.deepEqual(meantCall({ tool, args }), { tool: meant, args: inner }));
