import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { billedHome, startBilledModels, type BilledModels } from "../../servers/billed-models.ts";
import { NewUser } from "../support/test-user.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function startModels(): Promise<BilledModels> {
  return startBilledModels({
    chance: () => 1,
    failing: 0,
    callFor: (text) =>
      text.endsWith("look")
        ? { tool: "vision_analyze", args: { image_url: "dot.png", question: "What is it?" } }
        : undefined,
  });
}

function settle(user: NewUser, models: BilledModels): void {
  const { config, variables } = billedHome(models.url);
  user.write("~/.hermes/config.yaml", config);
  user.write("~/.hermes/.env", variables);
  writeFileSync(join(user.folder, "dot.png"), Buffer.from(PNG, "base64"));
}

const billOf = ({ bill }: BilledModels): number => bill.reduce((sum, { usd }) => sum + usd, 0);
const near = (actual: unknown, expected: number): void =>
  assert.ok(Math.abs(Number(actual) - expected) < 1e-9, `${actual} is not ${expected}`);

// field: M19
test("an image request is included in every total: the JSON result, the session list, /usage, /cost and hermes cost", async () => {
  using user = new NewUser();
  await using models = await startModels();
  settle(user, models);
  const ran = await user.run(["chat", "-q", "look", "--json"]);
  assert.equal(ran.status, 0, ran.err);
  const result = JSON.parse(ran.out.trim().split("\n").at(-1)!) as { readonly [field: string]: unknown };
  assert.equal(models.bill.length, 3);
  const total = billOf(models);
  near(result["costUsd"], total);
  assert.equal(result["unknownCosts"], undefined);

  const listed = await user.run(["sessions", "list", "--json"]);
  const [session] = JSON.parse(listed.out) as [{ readonly id: string; readonly costUsd: number }];
  near(session.costUsd, total);
  const dollars = `$${total.toFixed(4)}`;
  assert.ok((await user.run(["sessions", "list"])).out.includes(dollars));
  assert.ok((await user.run(["sessions", "show", session.id])).out.includes(` · ${dollars}`));
  assert.ok((await user.run(["chat", "-c", "-q", "/usage"])).out.includes(dollars));
  const spent = (await user.run(["chat", "-c", "-q", "/cost"])).out;
  assert.match(
    spent,
    new RegExp(
      `This conversation: \\${dollars} · 3 requests\n  turn    \\$0\\.0\\d+ · 2 requests\n  vision  \\$0\\.0\\d+ · 1 request\nToday: \\${dollars} · 3 requests\nLast 30 days: \\${dollars}`,
    ),
  );

  const shown = await user.run(["cost", "--by", "tool"]);
  assert.equal(shown.status, 0, shown.err);
  assert.match(shown.out, /^\(no tool\) +\$0\.0\d+ +2 /m);
  assert.match(shown.out, /^vision_analyze +\$0\.0\d+ +1 .*█/m);
  assert.ok(shown.out.includes(`Total: ${dollars} · 3 requests`), shown.out);
  const json = JSON.parse((await user.run(["cost", "--by", "model", "--json"])).out) as {
    readonly groups: readonly { readonly name: string; readonly costUsd: number }[];
    readonly total: { readonly costUsd: number };
  };
  near(json.total.costUsd, total);
  assert.deepEqual(json.groups.map(({ name }) => name).toSorted(), [
    "anthropic/claude-sonnet-4-5",
    "openrouter/lab/main",
  ]);
  const explained = (await user.run(["cost", "explain", session.id])).out;
  assert.match(explained, /^Requests\n  turn: 2, \$0\.0\d+\n  vision: 1, \$0\.0\d+\n/);
  assert.match(explained, /system prompt [\d,]+ · tool schemas [\d,]+ · messages \d+ · answers 40 · tool results \d+/);
  assert.match(explained, /Lost caches\n  none\n$/);
  const csv = (await user.run(["cost", "--by", "kind", "--csv"])).out.split("\r\n");
  assert.equal(csv[0], "kind,cost_usd,requests,unknown_costs,running,input_tokens,cached_tokens,output_tokens");
  assert.match(csv[1]!, /^"turn",0\.0\d+,2,0,0,\d+,0,40$/);
});

test("a model without a known price has an unknown cost everywhere, and an invalid argument is refused with the valid ones", async () => {
  using user = new NewUser();
  await using models = await startModels();
  settle(user, models);
  const before = await user.run(["cost"]);
  assert.equal(before.out, "No requests to models or paid services in this time.\n");
  user.write(
    "~/.hermes/config.yaml",
    `model: { provider: anthropic, default: claude-unheard-of, base_url: "${models.url}" }\n`,
  );
  const ran = await user.run(["chat", "-q", "hello", "--json"]);
  assert.equal(ran.status, 0, ran.err);
  const result = JSON.parse(ran.out.trim().split("\n").at(-1)!) as { readonly [field: string]: unknown };
  assert.deepEqual([result["costUsd"], result["unknownCosts"]], [undefined, 1]);
  const { out } = await user.run(["cost", "--by", "model"]);
  assert.match(out, /anthropic\/claude-unheard-of +\$\? +1 /);
  assert.match(out, /Total: cost unknown \(1 request of unknown cost\)/);
  const wrong = await user.run(["cost", "--by", "weather"]);
  assert.equal(wrong.status, 2);
  assert.match(wrong.err, /cannot be grouped by "weather"[\s\S]*day, model, session, tool, job, user, kind/);
});
