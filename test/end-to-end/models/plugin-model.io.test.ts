import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

const NO_PYTHON = spawnSync("python3", ["--version"]).status === 0 ? false : "there is no python3";
const MANIFEST = `name: probe
version: 1.0.0
description: A plugin
config:
  section: probe
  schema:
    type: object
    properties:
      models: { type: array, items: { type: object }, default: [{ provider: custom, model: of-the-manifest }] }
`;
const NODE = `import type { Plugin } from "hermes-agent/plugin";
const register: Plugin = (ctx) => ctx.cli({ name: "probe", description: "d", input: { type: "object", properties: {} }, run: async (_: unknown, io) => {
  io.out(await ctx.llm({ messages: [{ role: "user", text: "?" }], setting: "models.0" }).then(({ text, model }) => model + " " + text, (error) => error.message));
} });
export default register;
`;
const PYTHON = `def register(ctx):
    def probe(args):
        try:
            answer = ctx.llm.complete([{"role": "user", "content": "?"}], setting="models.0")
            print(answer.model + " " + answer.text)
        except Exception as error:
            print(error)
    ctx.register_cli_command("probe", help="d", handler_fn=probe)
`;

for (const [language, file, code, skip] of [
  ["Node", "index.ts", NODE, false],
  ["Python", "__init__.py", PYTHON, NO_PYTHON],
] as const) {
  test(
    `a ${language} plugin may use a model that the user set in its section, but not one that only its manifest names`,
    { skip },
    async () => {
      await using server = await startOpenAiServer([{ text: "yes" }]);
      using user = new NewUser();
      user.write("~/.hermes/plugins/probe/plugin.yaml", MANIFEST);
      user.write(`~/.hermes/plugins/probe/${file}`, code);
      user.connect("custom", server.url);
      assert.equal((await user.run(["plugins", "enable", "probe"])).status, 0);
      assert.match((await user.run(["probe"])).out, /The settings select no model in "models\.0"\./);
      assert.equal(server.requests.length, 0);
      user.connect(
        "custom",
        server.url,
        "plugins: { enabled: [probe] }\nprobe: { models: [{ provider: custom, model: loopback-large }] }\n",
      );
      assert.match((await user.run(["probe"])).out, /loopback-large yes/);
      assert.equal((JSON.parse(server.requests[0]!.body) as { readonly model: string }).model, "loopback-large");
    },
  );
}
