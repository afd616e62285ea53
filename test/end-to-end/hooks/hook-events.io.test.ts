import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chatScene, gone } from "../support/chatting.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

const TWELVE = [
  "on_session_end",
  "on_session_finalize",
  "on_session_reset",
  "on_session_start",
  "post_api_request",
  "post_llm_call",
  "post_tool_call",
  "pre_api_request",
  "pre_gateway_dispatch",
  "pre_llm_call",
  "pre_tool_call",
  "subagent_stop",
];
const MISSPELT = "post_tool_cal";
const PYTHON = spawnSync("python3", ["--version"]).status === 0;

const IN_NODE = (file: string): string => `
import { appendFileSync } from "node:fs";
export const register = (ctx) => {
  for (const name of ${JSON.stringify([...TWELVE, MISSPELT])}) ctx.register_hook(name, () => appendFileSync(${JSON.stringify(file)}, name + "\\n"));
};
`;
const IN_PYTHON = (file: string): string => `
def hear(name):
    def told(**payload):
        with open(${JSON.stringify(file)}, "a") as heard: heard.write(name + "\\n")
    return told

def register(ctx):
    for name in ${JSON.stringify([...TWELVE, MISSPELT])}: ctx.register_hook(name, hear(name))
`;

// req: hooks.events
test("a plugin in either language receives all twelve chat events; a misspelt event is reported with the nearest", async () => {
  await using scene = await chatScene(({ body }) => {
    const last = (
      JSON.parse(body) as { readonly messages: readonly { readonly role: string; readonly content: string }[] }
    ).messages.at(-1)!;
    return last.role === "user" && last.content.includes("hand it on")
      ? { calls: [{ tool: "delegate_task", args: { goal: "say a word" } }] }
      : { text: "a word" };
  });
  const { prompter: user, chat } = scene;
  const plugins = [
    ["hears-node", "index.mjs", IN_NODE],
    ...(PYTHON ? [["hears-python", "__init__.py", IN_PYTHON] as const] : []),
  ] as const;
  const file = (plugin: string): string => join(user.home, `${plugin}.txt`);
  for (const [plugin, entry, code] of plugins) {
    user.write(`~/.hermes/plugins/${plugin}/plugin.yaml`, `name: ${plugin}\nversion: 1.0.0\ndescription: Hears.\n`);
    user.write(`~/.hermes/plugins/${plugin}/${entry}`, code(file(plugin)));
  }
  user.connect(
    "custom",
    scene.model.url,
    `plugins:\n  enabled: [loopback-chat, ${plugins.map(([plugin]) => plugin).join(", ")}]\n`,
  );

  const gateway = await scene.serve();
  await chat.write("room", "ada", "hand it on");
  assert.equal((await chat.arrived()).text, "a word");
  await chat.write("room", "ada", "/new");
  assert.equal((await chat.arrived()).text, "Started a new session.");
  const received = (plugin: string): readonly string[] =>
    existsSync(file(plugin)) ? [...new Set(readFileSync(file(plugin), "utf8").trim().split("\n"))].sort() : [];
  // Observing hooks run after the answer.
  await waitFor(() => plugins.every(([plugin]) => received(plugin).length >= TWELVE.length), {
    what: "each plugin receives each event",
    state: () => plugins.map(([plugin]) => [plugin, received(plugin)]),
  });
  gateway.kill("SIGTERM");
  assert.equal(await gone(gateway), 0);

  for (const [plugin] of plugins) {
    assert.deepEqual(received(plugin), TWELVE, plugin);
    const text = `"${plugin}" listens to the hook "${MISSPELT}", which does not exist and is never called. Nearest: "post_tool_call".`;
    assert.ok(
      scene
        .log()
        .split("\n")
        .some(
          (line) =>
            line !== "" &&
            (JSON.parse(line) as { level: string; message: string }).level === "warning" &&
            (JSON.parse(line) as { message: string }).message === text,
        ),
      plugin,
    );
    const checked = await user.run(["plugins", "check", plugin]);
    assert.equal(checked.status, 1);
    assert.match(checked.out, /post_tool_cal\b.*Nearest: "post_tool_call"/);
  }
});
