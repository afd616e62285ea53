import assert from "node:assert/strict";
import { test } from "node:test";
import type { CliIo } from "../../contract/conversation/command.ts";
import type { ToolContext } from "../../contract/tools/tool.ts";
import { waitFor } from "../../testing/wait-for.ts";
import { manifest, setUp } from "../../host/plugins/plugins-fixture.ts";
import { answerOf, enabled } from "../test/hosts-fixture.ts";

/** A plugin in the Node process with this `register`; in the agent itself with `here`. */
async function plugin(t: Parameters<typeof setUp>[0], body: string, here = false) {
  const place = setUp(
    t,
    {
      "home/plugins/mine/plugin.yaml": manifest("mine"),
      "home/plugins/mine/index.mjs": `export function register(ctx) {\n${body}\n}\n`,
    },
    `${enabled("mine")}${here ? "  entries: { mine: { host: here } }\n" : ""}`,
  );
  return place.start({}, { hosts: true });
}

const signal = new AbortController().signal;

for (const here of [false, true]) {
  const where = here ? "in the agent" : "in the Node process";

  // field: P11
  test(`register_command takes the original's object form and its list of arguments: ${where}`, async (t) => {
    const { host } = await plugin(
      t,
      `ctx.register_command({ name: "tide", handler: (args) => "high at " + args, description: "Tides", args_hint: "PLACE" });
ctx.register_command("ebb", (args) => "low at " + args, "Ebb");
ctx.register_command({ name: "silent" });`,
      here,
    );
    const command = (name: string) => host.commands.get(name)!;
    const run = (name: string) => command(name).run("Kiel", { sessionId: "s", surface: "cli", signal });
    assert.deepEqual(
      [await run("tide"), await run("ebb"), command("tide").description, command("tide").argsHint],
      ["high at Kiel", "low at Kiel", "Tides", "PLACE"],
    );
    assert.deepEqual([host.commands.get("silent"), host.notices.length], [undefined, 1]);
    assert.match(host.notices[0]!.text, /The slash command "silent" needs a name and a run function/);
  });

  // field: P11
  test(`register_cli_command adds a subcommand whose setup function names the arguments: ${where}`, async (t) => {
    const { host } = await plugin(
      t,
      `const setup = (parser) => {
  parser.add_argument("place", { help: "Where" });
  parser.add_argument("-d", "--days-ahead", { type: "int", default: 3 });
  parser.add_argument("--json", { action: "store_true" });
};
const run = (args, io) => { io.out(JSON.stringify(args)); return args.json ? 4 : undefined; };
ctx.register_cli_command("tides", "Show tides", setup, run, "Shows the tides of a place.");
ctx.register_cli_command({ name: "ebb", help: "Show ebb", handler: run });
ctx.register_cli_command({ name: "odd", help: "o", setup: (parser) => parser.add_argument("-d"), handler: run });
ctx.register_cli_command("idle", "Nothing");`,
      here,
    );
    let out = "";
    const io: CliIo = { out: (text) => (out += text), error: () => undefined, interactive: false, signal };
    const tides = host.cli.get("tides")!;
    assert.deepEqual(
      [tides.description, tides.help, tides.positional, tides.input],
      [
        "Show tides",
        "Shows the tides of a place.",
        ["place"],
        {
          type: "object",
          properties: {
            place: { type: "string", description: "Where" },
            "days-ahead": { type: "number", description: "" },
            json: { type: "boolean", description: "" },
          },
          required: ["place"],
        },
      ],
    );
    assert.deepEqual(
      [await tides.run({ place: "Kiel", daysAhead: "5", json: true } as never, io), out],
      [4, '{"place":"Kiel","days_ahead":5,"json":true}'],
    );
    out = "";
    await tides.run({ place: "Kiel" } as never, io);
    assert.equal(out, '{"place":"Kiel","days_ahead":3,"json":false}');
    await assert.rejects(async () => tides.run({ place: "Kiel", daysAhead: "soon" } as never, io), {
      message: /"days-ahead" must be a whole number, not "soon"/,
    });
    assert.equal(host.cli.get("ebb")?.description, "Show ebb");
    assert.deepEqual([host.cli.get("odd"), host.cli.get("idle"), host.notices.length], [undefined, undefined, 2]);
  });
}

// field: P11
test("call.notify works after the end of its call, and says why it cannot once the call is forgotten", async (t) => {
  const { host, log } = await plugin(
    t,
    `const kept = [];
const tool = (name, execute) => ctx.tool({ name, toolset: "mine", description: "d", effect: "none", input: { type: "object", properties: {} }, execute });
tool("begin", async (_, call) => { kept.push(call); setTimeout(() => call.notify("finished later"), 50); return "begun"; });
tool("idle", async () => null);
tool("again", async () => kept[0].notify("again").then(() => "sent", (cause) => [cause.code, cause.message, cause.hint].join(" | ")));`,
  );
  const sent: string[] = [];
  const notify: ToolContext["notify"] = async (text) => void sent.push(text);
  const call = (name: string, callId: string) => answerOf(host, name, {}, { callId, notify });
  assert.deepEqual([await call("begin", "c1"), sent], ['"begun"', []]);
  await waitFor(() => sent.length === 1);
  assert.deepEqual(sent, ["finished later"]);
  for (let at = 0; at < 257; at += 1) await call("idle", `more-${at}`);
  assert.equal(
    await call("again", "last"),
    '"unavailable | The call that this notice belongs to ended too long ago. | ctx.inject_message() reaches the open conversation, ctx.chats() a chat."',
  );
  assert.deepEqual(
    log.lines.filter(({ level }) => level === "error"),
    [],
  );
});
