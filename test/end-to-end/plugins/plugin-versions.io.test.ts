import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { scene } from "../support/family.ts";

const withPython = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "there is no python3" };

/** Stores its context, and works with nothing else. */
const NODE = `export default (ctx) => {
  ctx.tool({ name: "kept", toolset: "x", description: "Counts.", effect: "read", input: { type: "object", properties: {} }, async execute() {
    const seen = (await ctx.storage.get("seen")) ?? 0;
    await ctx.storage.set("seen", seen + 1);
    return { seen, read: (await ctx.call("read_file", { path: "a.txt" })).kind };
  } });
};
`;
const PYTHON = `import json

def kept(args, **kw):
    seen = context.storage.get("seen", 0)
    context.storage.set("seen", seen + 1)
    return json.dumps({"seen": seen, "read": "error" if "error" in json.loads(context.dispatch_tool("read_file", {"path": "a.txt"})) else "ok"})

def register(ctx):
    global context
    context = ctx
    ctx.register_tool(name="kept", toolset="x", schema={"name": "kept", "description": "Counts.", "parameters": {"type": "object", "properties": {}}}, handler=kept)
`;

for (const [language, entry, code] of [
  ["TypeScript", "index.mjs", NODE],
  ["Python", "__init__.py", PYTHON],
] as const) {
  // req: R-61
  test(
    `the context that a plugin in ${language} stores works after a summary, a reload of others and one of itself`,
    language === "Python" ? withPython : {},
    async (t) => {
      await using server = await startOpenAiServer(({ body }) => ({
        text: body.includes('"tools"') ? "Well." : "They talked.",
      }));
      const {
        app,
        session,
        prompter: user,
      } = await scene(t, server.url, {
        extra: "plugins:\n  enabled: [saver, other]\ncompression:\n  protect_last_n: 2\n",
        setup(it) {
          it.write("a.txt", "alpha\n");
          it.write(
            "~/.hermes/plugins/saver/plugin.yaml",
            "name: saver\nversion: 1.0.0\ndescription: Keeps its context\n",
          );
          it.write(`~/.hermes/plugins/saver/${entry}`, code);
          it.write("~/.hermes/plugins/other/plugin.yaml", "name: other\nversion: 1.0.0\ndescription: Changes\n");
          it.write("~/.hermes/plugins/other/index.mjs", "export default () => {};\n");
        },
      });
      const saved = async (): Promise<unknown> => {
        const outcome = await session.call("kept", {});
        assert.equal(outcome.kind, "ok", JSON.stringify(outcome));
        return JSON.parse((outcome.shown[0] as { readonly text: string }).text);
      };
      assert.deepEqual(await saved(), { seen: 0, read: "ok" });
      for (let turn = 0; turn < 6; turn++) await session.send(`Question ${turn}`);
      assert.ok((await session.compact()) !== undefined);
      assert.deepEqual(await saved(), { seen: 1, read: "ok" });
      user.write(
        "~/.hermes/plugins/other/index.mjs",
        'export default (ctx) => ctx.hook("pre_llm_call", () => undefined);\n',
      );
      assert.deepEqual(
        (await app.plugins.reload()).started.map(({ key }) => key),
        ["other"],
      );
      assert.deepEqual(await saved(), { seen: 2, read: "ok" });
      user.write(`~/.hermes/plugins/saver/${entry}`, `${code}\n`);
      assert.deepEqual(
        (await app.plugins.reload()).started.map(({ key }) => key),
        ["saver"],
      );
      assert.deepEqual(await saved(), { seen: 3, read: "ok" });
    },
  );
}

// req: R-61
test("a plugin for another version is refused with the reason; unknown keys of a plugin are reported, and the plugin works", async (t) => {
  await using server = await startOpenAiServer(() => ({ text: "Well." }));
  const code =
    'export default (ctx) => { ctx.hook("pre_dream", () => undefined); ctx.tool({ name: "works", toolset: "x", description: "d", effect: "read", input: { type: "object", properties: {} }, execute: () => ({ done: true }) }); };\n';
  const { app, session } = await scene(t, server.url, {
    extra: "plugins:\n  enabled: [today, tomorrow]\n",
    setup(it) {
      it.write(
        "~/.hermes/plugins/today/plugin.yaml",
        "name: today\nmanifest_version: 1\nversion: 1.0.0\ndescription: d\ndreams: true\n",
      );
      it.write("~/.hermes/plugins/today/index.mjs", code);
      it.write(
        "~/.hermes/plugins/tomorrow/plugin.yaml",
        "name: tomorrow\nmanifest_version: 2\nversion: 1.0.0\ndescription: d\n",
      );
      it.write("~/.hermes/plugins/tomorrow/index.mjs", code);
    },
  });
  const listed = new Map((await app.plugins.list()).map((one) => [one.key, one]));
  assert.equal(listed.get("today")?.state, "enabled");
  assert.equal((await session.call("works", {})).kind, "ok");
  const message = (await app.plugins.check("today"))
    .flatMap(({ problems }) => problems.map(({ text }) => text))
    .join("\n");
  assert.match(message, /"dreams"/);
  assert.match(message, /"pre_dream"/);
  assert.notEqual(listed.get("tomorrow")?.state, "enabled");
  assert.match(
    listed.get("tomorrow")?.reason ?? "",
    /plugin\.yaml:2:1: the manifest has version 2; this version of Hermes reads version 1\.$/,
  );
});
