import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../servers/openai.ts";
import { NewPerson } from "./person.ts";

const withPython = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "there is no python3" };

const PYTHON = `import asyncio, json
from agent.plugin_llm import PluginLlmTrustError

def told(work):
    try:
        return work()
    except PluginLlmTrustError as cause:
        return "trust: " + str(cause)
    except Exception as cause:
        return "%s: %s" % (cause.data.get("code"), cause) if hasattr(cause, "data") else "%s: %s" % (type(cause).__name__, cause)

def register(ctx):
    def ask(args, **kw):
        answer = ctx.llm.complete([{"role": "system", "content": "Be brief."}, {"role": "user", "content": args["text"]}], purpose="a test", **args.get("more", {}))
        return [answer.text, answer.provider, answer.usage.total_tokens, answer.audit["purpose"]]

    def structured(args, **kw):
        png = {"type": "image", "data": b"picture", "mime_type": "image/png"}
        answer = asyncio.run(ctx.llm.acomplete_structured(instructions="Judge it.", input=[{"type": "text", "text": "It is good."}, png], json_schema={"type": "object"}, schema_name="verdict"))
        return [answer.parsed, answer.content_type, answer.audit["schema_name"]]

    def get(args, **kw):
        reply = ctx.fetch(args["url"], method="POST", body="hello", headers={"x-one": "1"}, timeout=120)
        return [reply.status, reply.json(), reply.text == reply.content.decode(), reply.headers["content-type"]]

    def keep(args, **kw):
        before = ctx.storage.get("seen", 0)
        ctx.storage.set("seen", before + 1)
        return [before, ctx.storage.keys()]

    def past(args, **kw):
        latest = ctx.sessions.latest()
        return [latest["preview"], any(fact["fact"]["type"] == "message.added" for fact in ctx.sessions.facts(latest["id"]))]

    for run in (ask, structured, get, keep, past):
        schema = {"name": run.__name__, "description": "d", "parameters": {"type": "object", "properties": {}}}
        ctx.register_tool(name="reach_" + run.__name__, toolset="reach", schema=schema, handler=lambda args, run=run, **kw: json.dumps(told(lambda: run(args, **kw))))
`;

const NODE = `export const register = (ctx) => {
  const told = async (work) => {
    try {
      return await work();
    } catch (cause) {
      return (cause.code ?? cause.name) + ": " + cause.message;
    }
  };
  const tools = {
    async ask({ text, more = {} }) {
      const answer = await ctx.llm({ system: "Be brief.", messages: [{ role: "user", text }], purpose: "a test", ...more });
      return [answer.text, answer.provider, answer.usage.total_tokens, "a test"];
    },
    async get({ url }) {
      const reply = await ctx.fetch(url, { method: "POST", body: "hello", headers: { "x-one": "1" }, timeoutMs: 120_000 });
      return [reply.status, await reply.json(), (await reply.text()) === new TextDecoder().decode(await reply.bytes()), reply.headers["content-type"]];
    },
    async keep() {
      const before = (await ctx.storage.get("seen")) ?? 0;
      await ctx.storage.set("seen", before + 1);
      return [before, await ctx.storage.keys()];
    },
    async past() {
      const latest = await ctx.sessions.latest();
      return [latest.preview, (await Array.fromAsync(ctx.sessions.facts(latest.id))).some(({ fact }) => fact.type === "message.added")];
    },
  };
  for (const [name, run] of Object.entries(tools)) ctx.register_tool({ name: "reach_" + name, toolset: "reach", schema: { name, description: "d", parameters: { type: "object", properties: {} } }, handler: async (args) => JSON.stringify(await told(() => run(args))) });
};
`;

for (const [language, entry, code] of [["Python", "__init__.py", PYTHON], ["TypeScript", "index.js", NODE]] as const) {
  const only = language === "Python" ? withPython : {};

  test(`a plugin in ${language} asks the model, fetches, keeps values and reads sessions, within what it may`, only, async (t) => {
    await using model = await startOpenAiServer(({ body }) => ({ text: body.includes("JSON schema") ? '```json\n{"good": true}\n```' : "Certainly.", usage: { inputTokens: 20, outputTokens: 5 } }));
    const asked: (readonly [string | undefined, string])[] = [];
    const url = await serve(t, asked);
    using person = new NewPerson();
    const settings = (more = ""): string => `security: { allow_private_urls: true }\nplugins:\n  enabled: [reach]\n${more}`;
    person.connect("custom", model.url, settings());
    person.write("~/.hermes/plugins/reach/plugin.yaml", "name: reach\nversion: 1.0.0\ndescription: Reaches.\n");
    person.write(`~/.hermes/plugins/reach/${entry}`, code);
    const call = async (tool: string, args: object = {}): Promise<unknown> => {
      const { out, err } = await person.run(["tools", "call", `reach_${tool}`, JSON.stringify(args)]);
      assert.notEqual(out, "", err);
      return JSON.parse(out);
    };

    assert.deepEqual(await call("ask", { text: "Shall we?" }), ["Certainly.", "custom", 25, "a test"]);
    const { messages, tools } = JSON.parse(model.requests[0]!.body) as { readonly messages: unknown; readonly tools?: unknown };
    assert.deepEqual([messages, tools], [[{ role: "system", content: "Be brief." }, { role: "user", content: "Shall we?" }], undefined]);
    assert.match(readFileSync(join(person.agentHome, "logs/agent.log"), "utf8"), /The plugin \\"reach\\" asked custom\/loopback for a test: 25 tokens/);
    assert.match(String(await call("ask", { text: "And now?", more: { model: "loopback-small" } })), /(trust|blocked): The plugin "reach" may not choose the model "loopback-small"/);
    if (language === "Python") {
      assert.deepEqual(await call("structured"), [{ good: true }, "json", "verdict"]);
      assert.match(model.requests.at(-1)!.body, /Judge it\.\\n\\nSchema name: verdict\\n\\nJSON schema: [^]*It is good\.[^]*data:image\/png;base64,cGljdHVyZQ==/);
      assert.match(String(await call("ask", { text: "And now?", more: { agent_id: "other" } })), /trust: The plugin 'reach' may not choose the agent_id 'other': this process answers for 'default' alone/);
    }
    assert.deepEqual(await call("get", { url }), [200, { got: "hello" }, true, "application/json"]);
    assert.deepEqual(asked, [["1", "hello"]]);
    assert.match(String(await call("get", { url: "http://169.254.169.254/" })), /^blocked: /);
    assert.deepEqual([await call("keep"), await call("keep")], [[0, ["seen"]], [1, ["seen"]]]);
    assert.equal((await person.run(["chat", "-q", "Remember the milk"])).status, 0);
    assert.deepEqual(await call("past"), ["Remember the milk", true]);

    person.connect("custom", model.url, settings("  entries: { reach: { llm: { token_budget: 0 } } }\n"));
    assert.match(String(await call("ask", { text: "Once more?" })), /(trust|blocked): The plugin "reach" used 0 tokens for questions of its own, and its budget is 0/);
  });

  test(`a plugin in ${language} from elsewhere fetches from hosts it was granted, and reads no session`, only, async (t) => {
    const asked: (readonly [string | undefined, string])[] = [];
    const url = await serve(t, asked);
    const other = await serve(t, asked);
    using person = new NewPerson();
    person.write("~/.hermes/config.yaml", "security: { allow_private_urls: true }\n");
    person.write("reach/plugin.yaml", `name: reach\nversion: 1.0.0\ndescription: Reaches.\ngrants: { hosts: ["${new URL(url).host}"] }\n`);
    person.write(`reach/${entry}`, code);
    const installed = await person.run(["plugins", "install", "./reach", "--yes", "--enable"]);
    assert.equal(installed.status, 0, installed.err);
    const call = async (tool: string, args: object = {}): Promise<unknown> => JSON.parse((await person.run(["tools", "call", `reach_${tool}`, JSON.stringify(args)])).out);
    assert.deepEqual(await call("get", { url }), [200, { got: "hello" }, true, "application/json"]);
    assert.match(String(await call("get", { url: other })), /^blocked: The plugin "reach" was not granted http:\/\/127\.0\.0\.1/);
    assert.deepEqual(asked, [["1", "hello"]]);
    assert.match(String(await call("past")), /^blocked: The plugin "reach" came from elsewhere and does not read other sessions/);
    assert.deepEqual(await call("keep"), [0, ["seen"]]);
  });
}

async function serve(t: { after(run: () => Promise<unknown>): void }, asked: (readonly [string | undefined, string])[]): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = (await Array.fromAsync(request as AsyncIterable<Buffer>)).map(String).join("");
    asked.push([request.headers["x-one"] as string | undefined, body]);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ got: body }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
