import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact, Recorded } from "../../../contract/conversation/fact.ts";
import type { Usage } from "../../../contract/providers/model.ts";
import type { LedgerRow } from "../../../contract/services/cost-service.ts";
import { explainCosts, prefixChange } from "./explain.ts";

const SYSTEM = "You are Hermes. 你好，今天是 Sunday. Work in /home/user/project — and keep it short.";
const TOOLS = ["read_file", "terminal", "写文件"].map((name) => ({
  name,
  description: `The tool ${name} does what it says.`,
  parameters: { type: "object" as const, properties: { path: { type: "string" as const } } },
}));

test("names the first changed byte in 20 of 20 planted changes of a prefix", () => {
  const system = Buffer.from(SYSTEM);
  let found = 0;
  for (let planted = 0; planted < 20; planted++) {
    const inTools = planted % 4 === 3;
    if (inTools) {
      const index = planted % TOOLS.length;
      const changed = TOOLS.map((tool, at) => (at === index ? { ...tool, description: `!${tool.description}` } : tool));
      const byte = Buffer.byteLength(
        JSON.stringify(TOOLS)
          .split("The tool ")
          .slice(0, index + 1)
          .join("The tool "),
      );
      const change = prefixChange({ system: SYSTEM, tools: TOOLS }, { system: SYSTEM, tools: changed });
      assert.deepEqual([change?.where, change?.byte, change?.tool], ["tool list", byte, TOOLS[index]!.name]);
    } else {
      // At the beginning of a character: a single byte of its middle would not be text.
      let byte = (planted * 7) % system.length;
      while ((system[byte]! & 0xc0) === 0x80) byte--;
      const after = `${system.subarray(0, byte).toString()}§${system.subarray(byte).toString()}`;
      const change = prefixChange({ system: SYSTEM, tools: TOOLS }, { system: after, tools: TOOLS });
      assert.deepEqual([change?.where, change?.byte, change?.after[0]], ["system prompt", byte, "§"]);
    }
    found++;
  }
  assert.equal(found, 20);
  assert.equal(prefixChange({ system: SYSTEM, tools: TOOLS }, { system: SYSTEM, tools: [...TOOLS] }), undefined);
});

const usage = (cacheReadTokens: number, cacheWriteTokens: number): Usage => ({
  inputTokens: 1_000,
  outputTokens: 10,
  cacheReadTokens,
  cacheWriteTokens,
  reasoningTokens: 0,
});

test("explains why a request lost its cache, and what that request cost", () => {
  const minutes = (of: number): number => of * 60_000;
  let number = 0;
  const ask = (model: string, of: Usage): readonly Fact[] => {
    const requestId = `r${++number}`;
    return [
      { type: "model.asked", turnId: "t", requestId, model, prefixHash: "h", attempt: 1 },
      { type: "model.answered", turnId: "t", requestId, parts: [], finish: "stop", usage: of },
    ];
  };
  const prefix = (system: string, reason: string): Fact => ({
    type: "prefix.fixed",
    hash: "h",
    system,
    tools: TOOLS,
    reason,
  });
  const steps: readonly (readonly [number, readonly Fact[]])[] = [
    [0, [prefix("It is Sunday.", "first turn"), ...ask("a", usage(0, 900))]],
    [1, ask("a", usage(900, 100))],
    [2, [prefix("It is Monday.", "compaction"), ...ask("a", usage(0, 900))]],
    [3, [{ type: "context.compacted", summary: "", keepFrom: 1 }, ...ask("a", usage(300, 600))]],
    [4, ask("b", usage(0, 900))],
    [14, ask("b", usage(0, 900))],
    [15, ask("b", usage(0, 900))],
    [16, ask("b", usage(900, 50))],
  ];
  let seq = 0;
  const facts = steps.flatMap(([at, some]) =>
    some.map((fact): Recorded => ({ seq: ++seq, at: minutes(at), v: 1, fact })),
  );
  const row = (requestId: string, costUsd: number): LedgerRow => ({ requestId, costUsd }) as LedgerRow;
  const { breaks, changes, tokens } = explainCosts(facts, [row("r3", 0.5)]);
  assert.deepEqual(
    breaks.map(({ at, cause, detail, cachedBefore, cachedAfter, costUsd }) => [
      at / minutes(1),
      cause,
      detail,
      cachedBefore,
      cachedAfter,
      costUsd,
    ]),
    [
      [2, "prefix", "compaction", 1_000, 0, 0.5],
      [3, "compaction", undefined, 900, 300, undefined],
      [4, "model", "a → b", 900, 0, undefined],
      [14, "idle", "10 min", 900, 0, undefined],
      [15, "unknown", undefined, 900, 0, undefined],
    ],
  );
  assert.deepEqual(
    changes.map(({ byte, before, after }) => [byte, before, after]),
    [[6, "Sunday.", "Monday."]],
  );
  assert.deepEqual([tokens.systemPrompt, tokens.answers], [4, 80]);
});
