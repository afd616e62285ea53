import assert from "node:assert/strict";
import { test } from "node:test";
import {
  APP_TOKEN,
  BOT,
  BOT_TOKEN,
  startSlackServer,
  type Call,
} from "../../../plugins/platform-slack/test/slack-server.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";
import { chatScene, gone } from "../support/chatting.ts";

type Server = Awaited<ReturnType<typeof startSlackServer>>;

const env = (server: Server): { readonly [name: string]: string } => ({
  SLACK_APP_TOKEN: APP_TOKEN,
  SLACK_BOT_TOKEN: BOT_TOKEN,
  SLACK_API_BASE_URL: server.url,
  SLACK_ALLOWED_USERS: "U701",
});

test("Slack: a mention is answered in a thread, once, although the gateway is killed and Slack repeats the event", async () => {
  await using server = await startSlackServer();
  await using scene = await chatScene([{ text: "**Half** past five." }, { text: "A quarter to six." }], {
    env: env(server),
  });
  const first = await scene.serve();
  mention(server, "U702", "let me in");
  const ts = mention(server, "U701", "what time is it?");
  const { params } = await posted(server);
  assert.deepEqual([params["channel"], params["thread_ts"], params["text"]], ["C52", ts, "*Half* past five."]);
  await server.next(({ method, params: at }) => method === "reactions.add" && at["name"] === "white_check_mark");
  assert.match(scene.log(), /Refused a message on slack/);
  await waitFor(() => server.unconfirmed() === 0, { what: "the confirmations" });
  first.kill("SIGKILL");
  await gone(first);

  // Slack does not know whether the killed one received it; the next one it has not delivered yet.
  mention(server, "U701", "what time is it?", ts);
  const next = mention(server, "U701", "and now?");
  const second = await scene.serve();
  const answer = await posted(server);
  assert.deepEqual([answer.params["thread_ts"], answer.params["text"]], [next, "A quarter to six."]);
  await waitFor(() => server.unconfirmed() === 0, { what: "the confirmations" });
  assert.equal(scene.model.requests.length, 2);
  assert.equal([...server.posted.values()].filter(({ text }) => text.includes("past five")).length, 1);
  second.kill("SIGTERM");
  assert.equal(await gone(second), 0);
  const output = scene.log() + scene.notes();
  assert.ok(!output.includes(APP_TOKEN) && !output.includes(BOT_TOKEN));
});

test("Slack: only the user who was asked can approve a command with a button", async () => {
  await using server = await startSlackServer();
  const script = (request: { readonly body: string }) =>
    (JSON.parse(request.body) as { readonly messages: readonly { readonly role: string }[] }).messages.at(-1)!.role ===
    "tool"
      ? { text: "Done." }
      : { calls: [{ tool: "terminal", args: { command: "rm -rf old" } }] };
  await using scene = await chatScene(script, { env: { ...env(server), SLACK_ALLOWED_USERS: "U701,U702" } });
  await scene.serve();
  const ts = mention(server, "U701", "remove it");
  const question = await server.next(({ params }) => params["blocks"] !== undefined && params["blocks"] !== "[]");
  assert.equal(question.params["thread_ts"], ts);
  const deny = buttonsOf(question).find(({ text }) => /deny/i.test(text.text))!;
  const once = buttonsOf(question).find(({ text }) => /once|yes|approve/i.test(text.text))!;
  press(server, "U702", deny.value, ts);
  press(server, "U701", once.value, ts);
  await server.next(({ method, params }) => method.startsWith("chat.") && params["text"] === "Done.");
  const result = scene.model.requests.at(-1)!.body;
  assert.doesNotMatch(result, /denied/i);
});

function mention(server: Server, user: string, text: string, ts = server.newTs()): string {
  const event = { channel: "C52", ts, user, text: `<@${BOT}> ${text}` };
  server.dispatch({ type: "message", channel_type: "channel", ...event });
  server.dispatch({ type: "app_mention", ...event });
  return ts;
}

function press(server: Server, user: string, value: string, thread_ts: string): void {
  server.interact({
    type: "block_actions",
    team: { id: "T1" },
    user: { id: user, team_id: "T1" },
    channel: { id: "C52" },
    message: { ts: server.newTs(), thread_ts },
    actions: [{ type: "button", value, action_ts: server.newTs() }],
  });
}

async function posted(server: Server): Promise<Call> {
  return server.next(({ method }) => method === "chat.postMessage");
}

function buttonsOf({ params }: Call): readonly { readonly value: string; readonly text: { readonly text: string } }[] {
  const blocks = JSON.parse(params["blocks"]!) as readonly {
    readonly elements?: readonly { readonly value: string; readonly text: { readonly text: string } }[];
  }[];
  return blocks.flatMap(({ elements = [] }) => elements);
}
