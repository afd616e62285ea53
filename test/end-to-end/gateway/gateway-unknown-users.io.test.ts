import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chatScene, gone, type ChatScene } from "../support/chatting.ts";

const WATCHER = (file: string): string => `
import { appendFileSync } from "node:fs";
export default (ctx) => {
  ctx.hook("pre_gateway_dispatch", ({ event }) => {
    appendFileSync(${JSON.stringify(file)}, JSON.stringify(event) + "\\n");
    if (event.text === "spam") return { action: "skip" };
    if (event.text.startsWith("shout ")) return { action: "rewrite", text: event.text.slice(6).toUpperCase() };
  });
  ctx.command({ name: "peek", description: "Peeks.", run: (args) => \`Peeked at \${args}.\` });
};
`;
const HANDLER = (file: string): string =>
  `import { appendFileSync } from "node:fs";\nexport function handle(event, context) { appendFileSync(${JSON.stringify(file)}, JSON.stringify({ event, context }) + "\\n"); }\n`;
const EVENTS = [
  "gateway:startup",
  "session:start",
  "session:end",
  "session:reset",
  "agent:start",
  "agent:step",
  "agent:end",
  "command:*",
];

interface Report {
  readonly event: string;
  readonly context: { readonly [key: string]: unknown };
}

const lines = <T>(file: string): readonly T[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as T)
    : [];

async function watched(): Promise<{
  readonly scene: ChatScene;
  seen(): readonly { readonly text: string; readonly source: { readonly user_id: string } }[];
  reported(): readonly Report[];
}> {
  const scene = await chatScene(
    ({ body }) => ({
      text: `You said: ${(JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] }).messages.at(-1)!.content.split("\n").at(-1)}`,
    }),
    { env: { LOOPBACK_CHAT_ALLOWED_USERS: "" }, config: "" },
  );
  const { prompter: user } = scene;
  const [seen, message] = [join(user.home, "seen.jsonl"), join(user.home, "told.jsonl")];
  user.write("~/.hermes/plugins/watcher/plugin.yaml", "name: watcher\nversion: 1.0.0\ndescription: Watches\n");
  user.write("~/.hermes/plugins/watcher/index.mjs", WATCHER(seen));
  user.write("~/.hermes/hooks/all/HOOK.yaml", `name: all\ndescription: A test\nevents: ${JSON.stringify(EVENTS)}\n`);
  user.write("~/.hermes/hooks/all/handler.mjs", HANDLER(message));
  user.connect("custom", scene.model.url, "plugins:\n  enabled: [loopback-chat, watcher]\n");
  return { scene, seen: () => lines(seen), reported: () => lines(message) };
}

// req: session-search.id-format, plugins.platform-same-gates, hooks.pre-gateway-dispatch, hooks.gateway-events,
// hooks.gateway-command-wildcard, hooks.gateway-duration, plugins.command-everywhere
test("an unknown user needs a pairing code; hooks can drop and rewrite messages, and event hooks see everything", async () => {
  const { scene, seen, reported: message } = await watched();
  await using _scene = scene;
  const { chat, prompter: user } = scene;
  const gateway = await scene.serve();
  await chat.write("room", "bob", "let me in");
  const offer = (await chat.arrived()).text;
  const [, code = ""] = /hermes pairing approve loopback-chat ([A-Z2-9]{8})\b/.exec(offer) ?? [];
  assert.notEqual(code, "", offer);
  assert.deepEqual(
    seen().map(({ text, source }) => [text, source.user_id]),
    [["let me in", "bob"]],
  );
  assert.equal(scene.model.requests.length, 0);

  assert.equal((await user.run(["pairing", "approve", "loopback-chat", "WRONGCDE"])).status, 1);
  const list = (await user.run(["pairing", "list"])).out;
  assert.ok(list.includes("pending  loopback-chat  bob") && !list.includes(code), list);
  assert.equal((await user.run(["pairing", "approve", "loopback-chat", code.toLowerCase()])).status, 0);

  await chat.write("room", "bob", "spam");
  await chat.write("room", "bob", "shout hello");
  assert.deepEqual(await chat.arrived(), { chat_id: "room", text: "You said: HELLO" });
  await chat.write("room", "bob", "/peek here");
  assert.equal((await chat.arrived()).text, "Peeked at here.");
  await chat.write("room", "bob", "/help");
  const help = (await chat.arrived()).text;
  assert.ok(
    ["/new", "/stop", "/approve", "/peek"].every((name) => help.includes(name)) && !help.includes("/skin"),
    help,
  );
  await chat.write("room", "bob", "/skin");
  assert.equal((await chat.arrived()).text, "/skin works only in the CLI.");
  await chat.write("room", "bob", "/new");
  assert.equal((await chat.arrived()).text, "Started a new session.");

  assert.equal((await user.run(["pairing", "revoke", "loopback-chat", "bob"])).status, 0);
  await chat.write("room", "bob", "still?");
  while (seen().at(-1)?.text !== "still?") await new Promise((resolve) => setTimeout(resolve, 20));
  gateway.kill("SIGTERM");
  assert.equal(await gone(gateway), 0);
  assert.equal(scene.model.requests.length, 1);

  const received = message();
  const key = "agent:main:loopback-chat:dm:room";
  const [startup, start, begin, step, end] = received;
  assert.deepEqual(
    received.map(({ event }) => event),
    [
      "gateway:startup",
      "session:start",
      "agent:start",
      "agent:step",
      "agent:end",
      "command:peek",
      "command:help",
      "command:new",
      "session:end",
      "session:reset",
    ],
  );
  assert.deepEqual(startup!.context, { platforms: ["loopback-chat"] });
  const id = start!.context["session_id"];
  assert.match(String(id), /^\d{8}_\d{6}_[0-9a-f]{8}$/);
  assert.deepEqual(start!.context, { platform: "loopback-chat", user_id: "bob", session_id: id, session_key: key });
  assert.deepEqual(begin!.context, {
    platform: "loopback-chat",
    user_id: "bob",
    chat_id: "room",
    thread_id: "",
    chat_type: "dm",
    session_id: id,
    message: "HELLO",
  });
  assert.deepEqual(
    [
      step!.context["iteration"],
      step!.context["user_id"],
      end!.context["response"],
      typeof end!.context["duration_seconds"],
    ],
    [1, "bob", "You said: HELLO", "number"],
  );
  const [over, reset] = received.slice(-2);
  assert.deepEqual(
    [over!.context["session_id"], over!.context["user_id"], reset!.context["session_key"], reset!.context["user_id"]],
    [id, "bob", key, "bob"],
  );
  assert.match(scene.log(), /Refused a message on loopback-chat: no rule allows this user\./);
  assert.equal((await user.run(["chat", "-q", "/peek here"])).out, "Peeked at here.\n");
});
