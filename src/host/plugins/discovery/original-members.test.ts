import assert from "node:assert/strict";
import { test } from "node:test";
import type { PluginContext } from "../../../contract/plugins/plugin.ts";
import { originalMembers } from "./original-members.ts";
import { withoutUndefined } from "../../../testing/without-undefined.ts";

function world() {
  const done: unknown[] = [];
  const noted =
    (what: string) =>
    (...given: readonly unknown[]) => (done.push([what, ...given]), { [Symbol.dispose]() {} });
  const context = Object.fromEntries(
    ["tool", "hook", "command", "skill", "provide"].map((name) => [name, noted(name)]),
  ) as unknown as PluginContext;
  const members = originalMembers({
    name: "mine",
    refuse: () => assert.fail("refused"),
    context: () => context,
    inject: (text) => (done.push(["inject", text]), true),
    dispatch: async (...given) => (done.push(["dispatch", ...given]), "said"),
  });
  return { done, members };
}

test("each of the original's members does the same as the one of the public entry point", async () => {
  const { done, members } = world();
  const handler = () => undefined;
  members.register_hook("pre_llm_call", handler);
  members.register_skill("tides", "/skills/tides", "About tides.");
  members.register_skill("plain", "/skills/plain");
  const slots = [
    ["memory_provider", "memory"],
    ["context_engine", "context"],
    ["image_gen_provider", "image_gen"],
    ["platform", "platform"],
    ["provider", "model_profile"],
    ["video_gen_provider", "video_gen"],
    ["web_search_provider", "web"],
    ["browser_provider", "browser"],
    ["tts_provider", "tts"],
    ["transcription_provider", "stt"],
  ] as const;
  for (const [word] of slots) members[`register_${word}`]({ name: word } as never);
  assert.deepEqual(withoutUndefined(done), [
    ["hook", "pre_llm_call", handler],
    ["skill", { name: "tides", path: "/skills/tides", description: "About tides." }],
    ["skill", { name: "plain", path: "/skills/plain" }],
    ...slots.map(([word, slot]) => ["provide", slot, { name: word }]),
  ]);
});

test("a command without a description gets a default one, and receives only its arguments", async () => {
  const { done, members } = world();
  members.register_command("tide", (args) => `at ${args}`);
  members.register_command("moon", (args) => args, "phase of the moon", "DAY");
  const [[, tide], [, moon]] = done as [[string, { readonly run: (args: string) => unknown }], [string, object]];
  assert.equal(tide.run("noon"), "at noon");
  assert.deepEqual(
    withoutUndefined([
      { ...tide, run: 0 },
      { ...moon, run: 0 },
    ]),
    [
      { name: "tide", description: "Plugin command", run: 0 },
      { name: "moon", description: "phase of the moon", argsHint: "DAY", run: 0 },
    ],
  );
});

test("injected messages name their source unless the user sent them; a tool is called in the named session", async () => {
  const { done, members } = world();
  assert.equal(members.inject_message("hello"), true);
  members.inject_message("careful", "system");
  assert.equal(await members.dispatch_tool("look", { at: 1 }), "said");
  await members.dispatch_tool("look", {}, { parent_agent: null });
  await members.dispatch_tool("look", {}, { parent_agent: { session_id: "s1" } });
  assert.deepEqual(done, [
    ["inject", "hello"],
    ["inject", "[system] careful"],
    ["dispatch", "look", { at: 1 }, undefined],
    ["dispatch", "look", {}, undefined],
    ["dispatch", "look", {}, "s1"],
  ]);
});
