import assert from "node:assert/strict";
import { test } from "node:test";
import type { CostGroup, CostSum } from "../../../contract/services/cost-service.ts";
import { cost } from "./cost.ts";
import type { SlashHost } from "./slash-host.ts";

const SUM: CostSum = {
  costUsd: 0.5,
  requests: 2,
  unknown: 0,
  open: 0,
  inputTokens: 10,
  cachedTokens: 0,
  outputTokens: 1,
};

/** A host whose ledger records its queries. */
function hostOf(whose: string | undefined) {
  const asked: (readonly [CostGroup, string | undefined, string | undefined])[] = [];
  const host = {
    app: {
      costs: {
        ofSession: async () => SUM,
        by: async (group: CostGroup, options: { readonly whose?: string; readonly sessionId?: string }) => {
          asked.push([group, options.whose, options.sessionId]);
          return [{ ...SUM, name: group === "kind" ? "turn" : "some" }];
        },
      },
    },
    session: () => ({ id: "s", view: () => ({ costUsd: 0 }) }),
    chat: { whose },
  } as unknown as SlashHost;
  return { host, asked };
}

test("/cost in the chat of another user than the owner asks the ledger for that user's requests only", async () => {
  const { host, asked } = hostOf("telegram:7");
  assert.equal(
    await cost("", host),
    [
      "This conversation: $0.50 · 2 requests",
      "  turn  $0.50 · 2 requests",
      "Today: $0.50 · 2 requests",
      "Last 30 days: $0.50 · 2 requests",
    ].join("\n"),
  );
  assert.match(await cost("by model 7d", host), /^MODEL[\s\S]*Total: \$0\.50 · 2 requests/);
  assert.deepEqual(asked, [
    ["kind", undefined, "s"],
    ["kind", "telegram:7", undefined],
    ["kind", "telegram:7", undefined],
    ["model", "telegram:7", undefined],
  ]);
  await assert.rejects(cost("by weather", host), /cannot be grouped by "weather"/);
  const owner = hostOf(undefined);
  await cost("user", owner.host);
  assert.deepEqual(owner.asked, [["user", undefined, undefined]]);
});
