import assert from "node:assert/strict";
import { test } from "node:test";
import type { PluginContext, RiskContext, ToolDefinition } from "hermes-agent/plugin";
import register from "./index.ts";

type Asked = { readonly image_url: string; readonly question: string };

/** The tool as the plugin registers it. */
function definition(): ToolDefinition<Asked> {
  let tool: unknown;
  void register({ tool: (given: unknown) => (tool = given) } as unknown as PluginContext);
  return tool as ToolDefinition<Asked>;
}

const call = { cwd: "/home/ann/project", home: "/home/ann", agentHome: "/home/ann/.hermes" } as RiskContext;

/** The assessment of a call before it runs. */
const message = async (image_url: string) => {
  const { effect, egress, untrusted } = await definition().assess!({ image_url, question: "what is it?" }, call);
  return [effect, egress, untrusted];
};

// req: tool-vision.analyze
test("ignores white space around an address in its assessment", async () => {
  const plain = [
    "network",
    [{ kind: "fetch", what: "https://Mallory.example/p?x=1" }],
    { source: "https://Mallory.example/p?x=1", host: "mallory.example" },
  ];
  for (const around of ["", " ", "\n", "\t", "\u00a0", "\ufeff"])
    assert.deepEqual(await message(`${around}https://Mallory.example/p?x=1${around}`), plain, JSON.stringify(around));
  assert.deepEqual((await message(" HTTPS://mallory.example/p"))[1], [
    { kind: "fetch", what: "HTTPS://mallory.example/p" },
  ]);
});

test("a file: URL outside the folder and a data: URL are untrusted, a picture in the folder is not", async () => {
  assert.deepEqual(await message(" file:///home/ann/downloads/p.png"), [
    "read",
    [],
    { source: "/home/ann/downloads/p.png" },
  ]);
  assert.deepEqual(await message(" /home/ann/downloads/p.png "), ["read", [], { source: "/home/ann/downloads/p.png" }]);
  assert.deepEqual(await message(" DATA:image/png;base64,AAAA"), [
    "read",
    [],
    { source: "a picture that came with the call" },
  ]);
  assert.deepEqual(await message("p.png"), ["read", [], false]);
});
