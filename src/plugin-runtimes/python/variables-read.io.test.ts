import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { manifest, setUp } from "../../host/plugins/plugins-fixture.ts";
import { enabled, pythonCode, pythonPlugin, answerOf, withPython } from "../test/hosts-fixture.ts";

const CODE = pythonCode(
  "def says(args, **k):\n    return json.dumps({'key': os.environ.get('METER_API_KEY'), 'place': os.environ.get('METER_PLACE')})",
  `def register(ctx):
    if os.environ.get("METER_API_KEY") or os.getenv("METER_PLACE"):
        ctx.register_tool(name="meter", toolset="meter", schema={"name": "meter", "description": "Says.", "parameters": {"type": "object", "properties": {}}}, handler=says)`,
);

test(
  "a Python plugin's registrations follow the variables it looks up, and it gets an undeclared secret once the user allows it",
  withPython,
  async (t) => {
    const place = setUp(t, pythonPlugin("meter", CODE), enabled("meter"));
    const names = async (env: { readonly [name: string]: string }) => {
      const { host } = await place.start(env, { hosts: true });
      return { host, names: host.tools.list().map(({ name }) => name) };
    };
    assert.deepEqual((await names({})).names, []);
    assert.deepEqual((await names({})).names, []);
    const placed = await names({ METER_PLACE: "roof" });
    assert.deepEqual(
      [placed.names, await answerOf(placed.host, "meter")],
      [["meter"], '{"key": null, "place": "roof"}'],
    );
    const secret = await names({ METER_API_KEY: "k-1" });
    assert.deepEqual([secret.names, (await secret.host.service.enable("meter")).withheld], [[], ["METER_API_KEY"]]);
    place.write({ "home/config.yaml": `${enabled("meter")}  entries:\n    meter:\n      env: [METER_API_KEY]\n` });
    const given = await names({ METER_API_KEY: "k-1" });
    assert.deepEqual(
      [given.names, await answerOf(given.host, "meter"), (await given.host.service.enable("meter")).withheld],
      [["meter"], '{"key": "k-1", "place": null}', []],
    );
  },
);

test(
  "enabling and checking a plugin report a secret that its code names, even if it reads it only later",
  withPython,
  async (t) => {
    const code = pythonCode(
      "def register(ctx):\n    ctx.register_command('later', handler=lambda args: os.environ.get('LATER_API_KEY', 'none'))",
    );
    const { host } = await setUp(t, pythonPlugin("later", code)).start(
      { LATER_API_KEY: "k-1", HARMLESS: "h" },
      { hosts: true },
    );
    assert.deepEqual((await host.service.enable("later")).withheld, ["LATER_API_KEY"]);
    const [checked] = await host.service.check("later");
    assert.deepEqual(checked?.problems, [
      {
        level: "warning",
        text: "Its code reads LATER_API_KEY, which is set but not passed to it, because its manifest does not name it. Add `optional_env: [LATER_API_KEY]` there, or run: hermes config set plugins.entries.later.env '[\"LATER_API_KEY\"]'.",
      },
    ]);
  },
);

test(
  "a plugin that fails because a variable is set but not passed gets a hint how to pass it",
  withPython,
  async (t) => {
    const code = pythonCode(
      "def register(ctx):\n    if not os.environ.get('PAYS_PRIVATE_KEY'):\n        raise ValueError('$PAYS_PRIVATE_KEY is required')\n    ctx.register_command('pays', handler=lambda args: 'paid')",
    );
    const { host } = await setUp(t, pythonPlugin("pays", code)).start(
      { PAYS_PRIVATE_KEY: "a-long-secret-value" },
      { hosts: true },
    );
    await assert.rejects(host.service.enable("pays"), {
      hint: "PAYS_PRIVATE_KEY is set but not passed to the plugin, because its manifest does not declare it. To pass it, run: hermes config set plugins.entries.pays.env '[\"PAYS_PRIVATE_KEY\"]'.",
    });
  },
);

test("a tool of an installed plugin cannot request a secret: only the manifest can", async (t) => {
  const code = `import { defineTool, type Plugin } from "hermes-agent/plugin";
const register: Plugin = (ctx) => void ctx.tool(defineTool({ name: "sly", toolset: "t", description: "d", effect: "none", env: [{ name: "OPENAI_API_KEY" }, { name: "TIDE_REGION" }, { name: "TIDES_TOKEN" }], input: { type: "object", properties: {} }, execute: async (_: any, call: any) => ({ key: ctx.env("OPENAI_API_KEY") ?? null, again: (await ctx.secrets.read("OPENAI_API_KEY")) ?? null, region: ctx.env("TIDE_REGION") ?? null, own: ctx.env("TIDES_TOKEN") ?? null }) } as any));
export default register;
`;
  const place = setUp(t, {
    "project/.hermes/plugins/sly/plugin.yaml": manifest("sly", "optional_env: [TIDES_TOKEN]\n"),
    "project/.hermes/plugins/sly/index.ts": code,
  });
  const options = { hosts: true, projectDir: join(place.path, "project/.hermes/plugins") } as const;
  const env = {
    OPENAI_API_KEY: "sk-proj-abcdefghijklmnopqrstuvwxyz",
    TIDE_REGION: "north",
    TIDES_TOKEN: "ebb-and-flow",
  };
  const enabled = await (await place.start(env, options)).host.service.enable("sly");
  const { host } = await place.start(env, options);
  assert.deepEqual(
    JSON.parse(
      await answerOf(
        host,
        "sly",
        {},
        {
          env: (name) =>
            host.declaredEnv("sly").some((need) => need.name === name)
              ? (env as { readonly [name: string]: string })[name]
              : undefined,
        },
      ),
    ),
    { key: null, again: null, region: "north", own: "ebb-and-flow" },
  );
  assert.deepEqual(enabled.withheld, ["OPENAI_API_KEY"]);
  assert.deepEqual(
    host.declaredEnv("sly").map(({ name }) => name),
    ["TIDES_TOKEN", "TIDE_REGION"],
  );
});
