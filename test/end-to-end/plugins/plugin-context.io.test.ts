import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NewUser } from "../support/test-user.ts";

const NO_PYTHON = spawnSync("python3", ["--version"]).status === 0 ? false : "there is no python3";
const NODE = `import type { Plugin } from "hermes-agent/plugin";
const register: Plugin = (ctx) => ctx.cli({ name: "probe", description: "d", input: { type: "object", properties: {} }, run: async (_: unknown, io) => {
  const [chats, jobs] = [await ctx.chats(), await ctx.jobs()];
  const job = await jobs.create({ schedule: "every 2h", prompt: "Look at the tides.", name: "tides" });
  await jobs.pause("tides", "slack water");
  const paused = await jobs.find(job.id);
  await chats.deliver({ platform: "irc", chatId: "#harbour", key: "once" }, "High water at four.");
  const homeless = await chats.deliver({ platform: "irc", key: "twice" }, "x").catch((error) => error.message);
  const platforms = chats.platforms();
  const loaded = await platforms.find(({ name }) => name === "irc")!.load();
  const found = {
    platforms: platforms.map(({ name, plugin }) => [name, plugin]), running: await chats.running(), to: chats.destinations("irc:#harbour", null).map(({ platform, chatId, threadId }) => [platform, chatId, threadId ?? null]), heard: await chats.heard(), homeless,
    job: [paused.name, paused.state, paused.paused_reason], none: await jobs.find("no such job").catch((error) => error.message.split(":")[0]), runner: (await jobs.runner()) ?? null, removed: (await jobs.remove("tides")).name, left: (await jobs.list()).length,
    skills: (await ctx.skills.all()).length > 0, folder: ctx.skills.folder === ctx.skills.roots()[0], head: (await ctx.skills.head("---\\nname: tide\\n---\\nbody")).data, judged: (await ctx.skills.judge({ "SKILL.md": "Read the tide tables." })).verdict, has: ctx.skills.has("NO_SUCH_VARIABLE"),
    sessions: (await ctx.sessions.list({ limit: 5 })).length, tools: ctx.tools().some(({ name }) => name === "terminal"), masked: ctx.redact("key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789").includes("sk-proj-abcdefghij"),
  };
  io.out(JSON.stringify({ ...found, adapter: typeof loaded.adapter_factory }));
} });
export default register;
`;
const PYTHON = `import json
def register(ctx):
    def said(run):
        try:
            return run()
        except Exception as error:
            return str(error)
    def probe(args):
        job = ctx.jobs.create(schedule="every 2h", prompt="Look at the tides.", name="tides")
        ctx.jobs.pause("tides", "slack water")
        paused = ctx.jobs.find(job["id"])
        ctx.chats.deliver("irc", "High water at four.", chat_id="#harbour", key="once")
        print(json.dumps({
            "platforms": [[one["name"], one["plugin"]] for one in ctx.chats.platforms()], "running": ctx.chats.running(), "to": [[one["platform"], one["chat_id"], one.get("thread_id")] for one in ctx.chats.destinations("irc:#harbour")], "heard": ctx.chats.heard(), "homeless": said(lambda: ctx.chats.deliver("irc", "x", key="twice")),
            "job": [paused["name"], paused["state"], paused["paused_reason"]], "none": said(lambda: ctx.jobs.find("no such job")).split(":")[0], "runner": ctx.jobs.runner(), "removed": ctx.jobs.remove("tides")["name"], "left": len(ctx.jobs.list()),
            "skills": len(ctx.skills.all()) > 0, "folder": ctx.skills.folder == ctx.skills.roots()[0], "head": ctx.skills.head("---\\nname: tide\\n---\\nbody")["data"], "judged": ctx.skills.judge({"SKILL.md": "Read the tide tables."})["verdict"], "has": ctx.skills.has("NO_SUCH_VARIABLE"),
            "sessions": len(ctx.sessions.list(limit=5)), "tools": any(one["name"] == "terminal" for one in ctx.tools()), "masked": "sk-proj-abcdefghij" in ctx.redact("key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789"),
        }))
    ctx.register_cli_command("probe", help="d", handler_fn=probe)
`;

for (const [language, file, code, skip] of [
  ["Node", "index.ts", NODE, false],
  ["Python", "__init__.py", PYTHON, NO_PYTHON],
] as const) {
  test(
    `a plugin in a separate ${language} process can use the agent's chats, jobs, skills and sessions`,
    { skip },
    async () => {
      using user = new NewUser();
      user.write("~/.hermes/plugins/probe/plugin.yaml", "name: probe\nversion: 1.0.0\ndescription: A plugin\n");
      user.write(`~/.hermes/plugins/probe/${file}`, code);
      user.write("~/.hermes/.env", "IRC_SERVER=127.0.0.1\nIRC_CHANNEL=#harbour\n");
      assert.equal((await user.run(["plugins", "enable", "probe"])).status, 0);
      const { out, err, status } = await user.run(["probe"]);
      assert.equal(status, 0, err);
      const { adapter, ...found } = JSON.parse(out) as { readonly adapter?: string; readonly [key: string]: unknown };
      assert.deepEqual(found, {
        // Webhooks need no variable, so they are always available.
        platforms: [
          ["irc", "platform-irc"],
          ["webhook", "platform-webhook"],
        ],
        running: false,
        to: [["irc", "#harbour", null]],
        heard: [],
        homeless: "IRC has no home channel.",
        job: ["tides", "paused", "slack water"],
        none: 'There is no job "no such job".',
        runner: null,
        removed: "tides",
        left: 0,
        skills: true,
        folder: true,
        head: { name: "tide" },
        judged: "safe",
        has: false,
        sessions: 0,
        tools: true,
        masked: false,
      });
      if (language === "Node") assert.equal(adapter, "function");
    },
  );
}

const SAYS = (name: string): string =>
  `export default (ctx) => ctx.tool({ name: "${name}", toolset: "t", description: "d", effect: "none", input: { type: "object", properties: {} }, execute: () => ({ taken: ctx.inject_message("more") }) });\n`;
const SAYS_PYTHON =
  'import json\ndef register(ctx):\n    ctx.register_tool(name="python_says", toolset="t", schema={"description": "d", "parameters": {"type": "object", "properties": {}}}, handler=lambda args, **_: json.dumps({"taken": ctx.inject_message("more")}))\n';

test(
  "a plugin's message starts no invisible turn: a tool called by hand reports that it was not accepted, in any runtime",
  { skip: NO_PYTHON },
  async () => {
    using user = new NewUser();
    const says = { here_says: SAYS("here_says"), apart_says: SAYS("apart_says"), python_says: SAYS_PYTHON };
    for (const [name, code] of Object.entries(says)) {
      user.write(`~/.hermes/plugins/${name}/plugin.yaml`, `name: ${name}\nversion: 1.0.0\ndescription: A plugin\n`);
      user.write(`~/.hermes/plugins/${name}/${name === "python_says" ? "__init__.py" : "index.ts"}`, code);
    }
    user.write(
      "~/.hermes/config.yaml",
      `plugins:\n  enabled: [${Object.keys(says).join(", ")}]\n  entries:\n    here_says: { host: here }\n`,
    );
    for (const name of Object.keys(says)) {
      const { out, err } = await user.run(["tools", "call", name, "{}"]);
      assert.deepEqual(JSON.parse(out), { taken: false }, err);
      assert.match(
        readFileSync(join(user.agentHome, "logs", "agent.log"), "utf8"),
        new RegExp(`A message of \\\\"${name}\\\\" \\(inject_message\\) was dropped: no conversation is open`),
      );
    }
  },
);
