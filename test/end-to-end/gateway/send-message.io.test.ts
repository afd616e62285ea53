import assert from "node:assert/strict";
import { test } from "node:test";
import { ircUser } from "../../../plugins/platform-irc/test/irc-user.ts";
import { startNgircd, withNgircd } from "../../../plugins/platform-irc/test/irc-server.ts";
import { HASS_TOKEN, startHomeAssistant } from "../../servers/home-assistant.ts";
import type { RecordedRequest, ScriptedReply } from "../../servers/script.ts";
import { chatScene, gone } from "../support/chatting.ts";

const HOME = { LOOPBACK_CHAT_HOME_CHANNEL: "home" };

/** A model that makes the call given as JSON in the last message and reports its result. */
function obeying({ body }: RecordedRequest): ScriptedReply {
  const { messages } = JSON.parse(body) as {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
  const last = messages.at(-1)!;
  if (last.role === "tool") return { text: `It said: ${last.content}` };
  return {
    calls: [
      JSON.parse(last.content.slice(last.content.lastIndexOf("\n") + 1)) as {
        readonly tool: string;
        readonly args: object;
      },
    ],
  } as ScriptedReply;
}

const send = (target: string | undefined, message: string): string =>
  JSON.stringify({ tool: "send_message", args: { target, message } });
const offered = ({ body }: RecordedRequest): boolean => body.includes('"name":"send_message"');

// req: tool-send-message.send
test(
  "sends from a turn to another platform, and asks for approval if the chat is not the owner's",
  withNgircd,
  async () => {
    await using server = await startNgircd();
    using eve = await ircUser(server.port, "eve");
    await eve.joins("#team");
    const env = {
      IRC_SERVER: "127.0.0.1",
      IRC_PORT: String(server.port),
      IRC_USE_TLS: "false",
      IRC_CHANNEL: "#team",
      IRC_ALLOWED_USERS: "ada",
    };
    await using scene = await chatScene(obeying, {
      env,
      config: "approvals:\n  mode: manual\nplatforms:\n  loopback-chat:\n    extra:\n      allow_admin_from: ada\n",
    });
    const gateway = await scene.serve();
    await eve.sees(({ command, source }) => command === "JOIN" && source?.nick === "hermes-bot");
    const { chat } = scene;
    await chat.write("room", "ada", send("irc:#team", "Lunch at noon."));
    const asked = (await chat.arrived()).text;
    assert.match(asked, /Approval needed[^]*Sends to irc:#team: “Lunch at noon\.”/);
    await chat.write("room", "ada", "/approve");
    const output = [(await chat.arrived()).text, (await chat.arrived()).text].join("\n");
    assert.match(output, /"success":true,"platform":"irc","chat_id":"#team"/);
    assert.deepEqual(await eve.receivesFrom("hermes-bot"), { target: "#team", text: "Lunch at noon." });
    gateway.kill("SIGTERM");
    assert.equal(await gone(gateway), 0);
  },
);

// req: tool-send-message.send
test("the CLI offers send_message only while a gateway runs; sending to a home channel needs no approval", async () => {
  await using scene = await chatScene(obeying, { env: HOME });
  const ask = async (words: string): Promise<string> => {
    const { status, out, err } = await scene.prompter.run(["chat", "-q", words]);
    assert.equal(status, 0, err);
    return out;
  };
  await ask(JSON.stringify({ tool: "todo", args: {} }));
  assert.equal(offered(scene.model.requests.at(-1)!), false);
  const gateway = await scene.serve();
  assert.match(
    await ask(send("loopback-chat", "Tea is ready.")),
    /"success":true,"platform":"loopback-chat","chat_id":"home","note":"The message is in the outbox; the gateway sends it\."/,
  );
  assert.equal(offered(scene.model.requests.at(-1)!), true);
  assert.deepEqual(await scene.chat.arrived(), { chat_id: "home", text: "Tea is ready." });
  assert.match(
    await ask(JSON.stringify({ tool: "send_message", args: { action: "list" } })),
    /"targets":"loopback-chat \(home channel, loopback-chat:home\)"/,
  );

  const refusals: readonly (readonly [string, RegExp])[] = [
    [send("loopback-chat:strangers", "hello"), /no user is connected/],
    [send("nosuch", "hello"), /Unknown chat platform .{0,2}"nosuch/],
    [send("loopback-chat", " "), /message is empty/],
    [send("loopback-chat", "MEDIA:/etc/hostname"), /sends only text, not files/],
    [send(undefined, "hello"), /target is missing/],
  ];
  for (const [words, wanted] of refusals) assert.match(await ask(words), wanted);
  // A refused message, if sent, would arrive before this one.
  await ask(send("loopback-chat", "The last."));
  assert.deepEqual(await scene.chat.arrived(), { chat_id: "home", text: "The last." });
  gateway.kill("SIGTERM");
  await gone(gateway);
  await ask(JSON.stringify({ tool: "todo", args: {} }));
  assert.equal(offered(scene.model.requests.at(-1)!), false);
});

test("a non-owner sees no ids of other chats, and sending to the owner's home channel asks for approval", async () => {
  const config = "approvals:\n  mode: manual\nplatforms:\n  loopback-chat:\n    extra:\n      allow_admin_from: ada\n";
  await using scene = await chatScene(obeying, {
    env: { LOOPBACK_CHAT_HOME_CHANNEL: "ada-home", LOOPBACK_CHAT_ALLOWED_USERS: "ada, eve" },
    config,
  });
  await scene.serve();
  const content = async (room: string, user: string, text: string): Promise<string> => {
    await scene.chat.write(room, user, text);
    return (await scene.chat.arrived()).text;
  };
  const list = JSON.stringify({ tool: "send_message", args: { action: "list" } });
  assert.match(
    await content("ada-secret", "ada", list),
    /"targets":"loopback-chat \(home channel, loopback-chat:ada-home\)\\nloopback-chat:ada-secret"/,
  );
  assert.match(
    await content("eve-room", "eve", list),
    /"targets":"loopback-chat \(home channel of my owner\)\\nloopback-chat:eve-room \(this chat\)"/,
  );
  const asked = await content("eve-room", "eve", send("loopback-chat", "hello from eve"));
  assert.match(asked, /Approval needed[^]*Sends to loopback-chat: “hello from eve”/);
  assert.doesNotMatch(asked, /ada-home/);
});

// req: R-42
test("sends nothing without a prompter after untrusted content, not even to the home channel", async () => {
  await using house = await startHomeAssistant();
  const calls = [
    { tool: "ha_get_state", args: { entity_id: "sensor.cellar" } },
    { tool: "send_message", args: { target: "loopback-chat", message: "leaked" } },
  ];
  await using scene = await chatScene(
    ({ body }) => {
      const results = body.split('"role":"tool"').length - 1;
      return results < calls.length ? { calls: [calls[results]!] } : { text: "done" };
    },
    { env: { ...HOME, HASS_URL: house.url, HASS_TOKEN } },
  );
  const gateway = await scene.serve();
  const run = await scene.prompter.run(["chat", "-q", "how warm is it?"]);
  assert.equal(run.status, 0, run.err);
  assert.match(scene.model.requests.at(-1)!.body, /no user is connected/);
  gateway.kill("SIGTERM");
  await gone(gateway);
});
