import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { ScriptedReply } from "../../servers/script.ts";
import { scene, sent } from "../support/family.ts";

/**
 * 400 tools with long descriptions, one that echoes its input, one that needs approval; and a guard that records
 * calls.
 */
const CROWD = `export default (ctx) => {
  const input = { type: "object", properties: { city: { type: "string", description: "Name of the city" } }, required: ["city"] };
  for (let n = 0; n < 400; n++) ctx.tool({ name: "chore_" + n, toolset: "crowd", description: "Does chore number " + n + ". " + "It is of little use. ".repeat(10), effect: "read", input, execute: () => n });
  ctx.tool({ name: "tide_table", toolset: "crowd", description: "High and low water of a harbour.", effect: "read", input, execute: ({ city }) => ({ city, high: "06:12" }) });
  ctx.tool({ name: "open_sluice", toolset: "crowd", description: "Lets the water of a harbour out.", effect: "execute", input, risk: () => ({ answer: "ask", key: "open a sluice", reasons: ["The harbour falls dry."], effects: ["open the sluice"] }), execute: () => "opened" });
  const seen = [];
  ctx.hook("pre_tool_call", ({ tool_name, args }) => void seen.push([tool_name, args.city ?? null]));
  ctx.command({ name: "seen", description: "What the guard saw", run: () => JSON.stringify(seen) });
};
`;

// req: R-44
test("with 400 more tools a request stays small: the model searches, reads and calls one, and guards see the tool itself", async (t) => {
  const replies: readonly ScriptedReply[] = [
    { calls: [{ tool: "tool_search", args: { query: "water in the harbour" } }] },
    { calls: [{ tool: "tool_describe", args: { name: "tide_table" } }] },
    { calls: [{ tool: "tool_call", args: { name: "tide_table", arguments: { city: "Hamburg" } } }] },
    { calls: [{ tool: "tool_call", args: { name: "tide_table", arguments: { town: "Hamburg" } } }] },
    { calls: [{ tool: "tool_call", args: { name: "open_sluice", arguments: { city: "Hamburg" } } }] },
    { calls: [{ tool: "chore_7", args: { city: "Kiel" } }] },
    { calls: [{ tool: "tool_call", args: { name: "tide_tabel", arguments: {} } }] },
    { calls: [{ tool: "tool_call", args: { name: "zeppelin", arguments: {} } }] },
    { text: "Done." },
  ];
  await using server = await startOpenAiServer(replies);
  const { session, facts } = await scene(t, server.url, {
    extra: "plugins:\n  enabled: [crowd]\nagent:\n  disabled_toolsets: [browser]\n",
    setup(user) {
      user.write("~/.hermes/plugins/crowd/plugin.yaml", "name: crowd\nversion: 1.0.0\ndescription: Many tools\n");
      user.write("~/.hermes/plugins/crowd/index.mjs", CROWD);
    },
  });
  await session.send("How is the tide in Hamburg?");
  const first = sent(server.requests[0]!);
  assert.deepEqual(
    first.tools.filter((name) => /chore|tide|sluice|tool_/.test(name)),
    ["tool_call", "tool_describe", "tool_search"],
  );
  const { messages, tools } = JSON.parse(server.requests[0]!.body) as {
    readonly messages: readonly unknown[];
    readonly tools: readonly { readonly function: { readonly name: string; readonly description: string } }[];
  };
  assert.ok(
    JSON.stringify([messages[0], tools]).length / 3.8 < 3_000,
    `${JSON.stringify([messages[0], tools]).length / 3.8} tokens`,
  );
  assert.match(
    tools.find(({ function: { name } }) => name === "tool_search")!.function.description,
    /They come from: crowd, tool-cronjob\./,
  );

  const { results } = sent(server.requests.at(-1)!);
  const found = JSON.parse(results[0]!) as {
    readonly total_available: number;
    readonly matches: readonly { readonly name: string; readonly source: string; readonly source_name: string }[];
  };
  assert.deepEqual(
    [
      found.total_available,
      found.matches
        .slice(0, 2)
        .map(({ name }) => name)
        .sort(),
      found.matches[0]!.source,
      found.matches[0]!.source_name,
      found.matches.length <= 5,
    ],
    [403, ["open_sluice", "tide_table"], "plugin", "crowd", true],
  );
  assert.deepEqual(
    (JSON.parse(results[1]!) as { readonly parameters: { readonly required: unknown } }).parameters.required,
    ["city"],
  );
  assert.deepEqual(JSON.parse(results[2]!), { city: "Hamburg", high: "06:12" });
  assert.match(results[3]!, /city.*Nothing was run/);
  assert.match(results[4]!, /sluice|approv/i);
  assert.match(results[5]!, /7/);
  assert.match(results[6]!, /"city\\" is missing/, "a similar name resolves to a read-only tool");
  assert.match(results[7]!, /Unknown tool: zeppelin/);

  const made = facts().flatMap((fact) => (fact.type === "tool.called" ? [fact.tool] : []));
  assert.deepEqual(made.slice(0, 6), [
    "tool_search",
    "tool_describe",
    "tide_table",
    "tide_table",
    "open_sluice",
    "chore_7",
  ]);
  const sluice = facts().find((fact) => fact.type === "tool.settled" && fact.outcome.kind === "denied");
  assert.ok(sluice !== undefined, "the call is denied because no user can approve it");
  assert.equal(
    new Set(server.requests.map(({ body }) => JSON.stringify((JSON.parse(body) as { readonly tools: unknown }).tools)))
      .size,
    1,
  );
  // The conversation has the call exactly as the model wrote it.
  const own = (
    JSON.parse(server.requests.at(-1)!.body) as {
      readonly messages: readonly {
        readonly tool_calls?: readonly { readonly function: { readonly name: string } }[];
      }[];
    }
  ).messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.name));
  assert.deepEqual(own.slice(0, 5), ["tool_search", "tool_describe", "tool_call", "tool_call", "tool_call"]);
});
