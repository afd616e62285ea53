import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ToolFailure,
  type Assessment,
  type JsonObject,
  type PluginContext,
  type RiskContext,
  type ToolContext,
  type ToolDefinition,
} from "hermes-agent/plugin";
import register from "./index.ts";

type Tool = ToolDefinition<JsonObject, JsonObject>;

const call = { signal: new AbortController().signal } as ToolContext & RiskContext;

function registered(config: JsonObject = {}) {
  const tools = new Map<string, Tool>();
  const ends: (() => Promise<void>)[] = [];
  void register({
    config,
    tool: (tool: Tool) => tools.set(tool.name, tool),
    onUnload: (end: () => Promise<void>) => ends.push(end),
  } as unknown as PluginContext);
  return {
    tools,
    ends,
    run: async (name: string, args: JsonObject = {}) => tools.get(name)!.execute(args as never, call),
  };
}

/** A refusal as text, in the shape of every result of these tools. */
const refused =
  (words: RegExp) =>
  (cause: unknown): boolean =>
    cause instanceof ToolFailure && words.test(cause.message) && cause.data?.["success"] === false;

// req: plugins.google-meet
test("registers four tools if there is a browser; joining asks about the address, and the transcript is untrusted content", async () => {
  const { tools } = registered();
  assert.deepEqual([...tools.keys()], ["meet_join", "meet_status", "meet_transcript", "meet_leave"]);
  assert.deepEqual(
    [...tools.values()].map(({ effect }) => effect),
    ["network", "read", "read", "network"],
  );
  for (const { needsOneOf, refusal } of tools.values())
    assert.deepEqual([needsOneOf!.includes("chromium"), refusal], [true, { success: false }]);
  assert.deepEqual(tools.get("meet_join")!.assess!({ url: "https://meet.google.com/abc-defg-hij" } as never, call), {
    egress: [{ kind: "fetch", what: "https://meet.google.com/abc-defg-hij" }],
    untrusted: false,
  });
  assert.deepEqual(tools.get("meet_leave")!.assess!({} as never, call), { egress: [], untrusted: false });
  const { untrusted } = (await tools.get("meet_transcript")!.assess!({} as never, call)) as Assessment;
  assert.equal(typeof untrusted === "function" && (await untrusted()), false);
});

test("refuses an invalid call address, another site and an invalid duration before opening a browser", async () => {
  const { run } = registered();
  for (const url of [
    "",
    "meet",
    "https://meet.google.com/",
    "https://meet.google.com/ab",
    "https://meet.google.com/abc-defg-hij/x",
    "http://meet.google.com/abc-defg-hij",
    "https://meet.google.com.evil.example/abc-defg-hij",
    "https://meet.google.com@evil.example/abc-defg-hij",
    "https://user@meet.google.com/abc-defg-hij",
    "https://meet.google.com:444/abc-defg-hij",
  ]) {
    await assert.rejects(
      run("meet_join", { url }),
      refused(/This is not the address of a call\. Use one like https:\/\/meet\.google\.com\/abc-defg-hij/),
      url,
    );
  }
  for (const duration of ["soon", "5", "-5m", "1d", "99999m"])
    await assert.rejects(
      run("meet_join", { url: "https://meet.google.com/abc-defg-hij", duration }),
      refused(/is not a duration\. Use one like 90s, 30m or 2h/),
      duration,
    );
  await assert.rejects(
    registered({ origin: "http://127.0.0.1:9" }).run("meet_join", { url: "https://meet.google.com/abc-defg-hij" }),
    refused(/http:\/\/127\.0\.0\.1:9\/abc-defg-hij/),
  );
});

test("without a call there is nothing to report or leave, and the plugin unloads", async () => {
  const { run, ends } = registered();
  for (const name of ["meet_status", "meet_transcript"])
    await assert.rejects(run(name), refused(/There is no call/), name);
  await assert.rejects(run("meet_leave"), refused(/The agent is in no call/));
  for (const end of ends) await end();
});
