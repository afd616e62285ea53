import assert from "node:assert/strict";
import { test } from "node:test";
import { TOOL_BRIDGE } from "../../contract/tools/deferred-tool.ts";
import type { Json } from "../../contract/common/json.ts";
import type { ToolOffer } from "../../contract/providers/model.ts";
import { deferTools } from "./deferred-tools.ts";

const offer = (name: string, chars = 0): ToolOffer => ({
  name,
  description: "x".repeat(chars),
  parameters: { type: "object", properties: {} },
});
const BRIDGE = Object.values(TOOL_BRIDGE).map((name) => offer(name));
const CORE = [offer("read_file"), offer("terminal", 40_000)];
const settings = (
  tool_search: { readonly enabled?: Json; readonly threshold_pct?: number } = {},
  contextTokens: number | undefined = 200_000,
) => ({
  config: (path: string): Json | undefined =>
    ({
      "tools.tool_search.enabled": tool_search.enabled,
      "tools.tool_search.threshold_pct": tool_search.threshold_pct,
    })[path],
  contextTokens,
  sourceOf: (name: string) => name.split("_")[0]!,
});
const names = (offers: readonly ToolOffer[]) => offers.map(({ name }) => name).sort();

// req: R-44
test("sends core tools, and defers the rest if they exceed their share of the window or 8,000 tokens", () => {
  const extra = (chars: number) => [
    ...CORE,
    offer("github_issues", chars / 2),
    offer("linear_tasks", chars / 2),
    ...BRIDGE,
  ];
  const all = names([...CORE, offer("github_issues"), offer("linear_tasks")]);
  const held = names([...CORE, ...BRIDGE]);
  assert.deepEqual(names(deferTools(extra(4 * 7_000), settings())), all);
  assert.deepEqual(names(deferTools(extra(4 * 8_000), settings())), held);
  assert.deepEqual(names(deferTools(extra(4 * 2_900), settings({}, 30_000))), all);
  assert.deepEqual(names(deferTools(extra(4 * 3_000), settings({}, 30_000))), held);
  assert.deepEqual(names(deferTools(extra(4 * 3_000), settings({ threshold_pct: 50 }, 30_000))), all);
  assert.deepEqual(names(deferTools(extra(4 * 9_000), settings({}, undefined))), held);
});

// req: R-44
test("defers rarely used core tools if that saves more tokens than the bridge costs", () => {
  const small = [offer("read_file", 4 * 1_000), offer("browser_navigate", 4 * 500), offer("ha_get_state", 4 * 500)];
  assert.deepEqual(names(deferTools([...small, ...BRIDGE], settings())), names(small));
  const long = [...small, offer("patch", 4 * 200)];
  assert.deepEqual(
    names(deferTools([...long, ...BRIDGE], settings())),
    names([offer("read_file"), offer("patch"), ...BRIDGE]),
  );
  assert.deepEqual(names(deferTools([...long, ...BRIDGE], settings({ enabled: "off" }))), names(long));
  const one = [offer("read_file", 4 * 3_000), offer("cronjob", 40)];
  assert.deepEqual(
    names(deferTools([...one, ...BRIDGE.map((part) => ({ ...part, description: "x".repeat(400) }))], settings())),
    names(one),
  );
  assert.match(
    deferTools([...long, offer("weather"), ...BRIDGE], settings()).find(({ name }) => name === TOOL_BRIDGE.search)!
      .description,
    /They come from: browser, ha\.$/,
  );
});

test("the settings can defer every tool outside the core, or none", () => {
  const offers = [...CORE, offer("weather"), ...BRIDGE];
  for (const on of ["on", true])
    assert.deepEqual(names(deferTools(offers, settings({ enabled: on }))), names([...CORE, ...BRIDGE]));
  for (const off of ["off", false])
    assert.deepEqual(
      names(deferTools([...offers, offer("big", 100_000)], settings({ enabled: off }))),
      names([...CORE, offer("weather"), offer("big")]),
    );
  assert.deepEqual(names(deferTools([...CORE, ...BRIDGE], settings({ enabled: "on" }))), names(CORE));
});

test("without the bridge defers nothing", () => {
  const offers = [...CORE, offer("big", 100_000), ...BRIDGE.slice(1)];
  assert.deepEqual(names(deferTools(offers, settings())), names([...CORE, offer("big")]));
});

test("the search tool's description lists the sources of deferred tools in a stable order", () => {
  const message = (...more: readonly ToolOffer[]) =>
    deferTools([...CORE, ...more, ...BRIDGE], settings({ enabled: "on" })).find(
      ({ name }) => name === TOOL_BRIDGE.search,
    )!.description;
  assert.match(
    message(offer("linear_tasks"), offer("github_issues"), offer("github_pulls")),
    /They come from: github, linear\.$/,
  );
  assert.equal(message(offer("a_1"), offer("b_1")), message(offer("b_1"), offer("a_1")));
  assert.match(
    message(...Array.from({ length: 25 }, (_, n) => offer(`s${String(n).padStart(2, "0")}_x`))),
    /s19 and 5 more\.$/,
  );
});
