import assert from "node:assert/strict";
import { test } from "node:test";
import { startBotServer, TOKEN } from "../../../plugins/platform-telegram/test/bot-server.ts";
import { chatScene } from "../support/chatting.ts";

const CONFIG = (url: string): string =>
  `security:\n  allow_private_urls: true\nplatforms:\n  telegram:\n    extra:\n      base_url: ${url}\n`;

/** The last text of the user in a recorded request. */
function asked(request: { readonly body: string }): string {
  const { messages } = JSON.parse(request.body) as {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  };
  const last = messages.findLast(({ role }) => role === "user")?.content;
  return typeof last === "string" ? last : JSON.stringify(last);
}

// req: platforms.batch-tuning
test("joins two quick messages into one turn, and shows the turn's progress as reactions", async () => {
  await using server = await startBotServer();
  await using scene = await chatScene([{ text: "both" }], {
    config: CONFIG(server.url),
    env: {
      TELEGRAM_BOT_TOKEN: TOKEN,
      TELEGRAM_ALLOWED_USERS: "7",
      TELEGRAM_REACTIONS: "true",
      HERMES_TELEGRAM_TEXT_BATCH_DELAY_SECONDS: "0.3",
    },
  });
  await scene.serve();
  const next = server.reader();
  server.write({ text: "x".repeat(4_050) }, { text: "and the rest" });
  const { params } = await next(({ method }) => method === "sendMessage");
  assert.equal(params["text"], "both");
  assert.match(asked(scene.model.requests[0]!), /x{4050}(?:\\n|\n)and the rest/);
  const sign = async () =>
    JSON.stringify((await next(({ method }) => method === "setMessageReaction")).params["reaction"]);
  assert.deepEqual(
    [await sign(), await sign()],
    ['[{"type":"emoji","emoji":"👀"}]', '[{"type":"emoji","emoji":"👍"}]'],
  );
  assert.equal(scene.model.requests.length, 1);
});

// req: platforms.batch-tuning
test("starts one turn per message with a delay of 0", async () => {
  await using server = await startBotServer();
  await using scene = await chatScene([{ text: "first" }, { text: "second" }], {
    config: `${CONFIG(server.url)}display:\n  busy_input_mode: queue\n`,
    env: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_ALLOWED_USERS: "7", HERMES_TELEGRAM_TEXT_BATCH_DELAY_SECONDS: "0" },
  });
  await scene.serve();
  server.write({ text: "one" }, { text: "two" });
  const texts = [(await server.sent()).params["text"], (await server.sent()).params["text"]];
  assert.deepEqual(texts, ["first", "second"]);
});

test("uses the new text of a message edited while it waits, and ignores edits of an answered one", async () => {
  await using server = await startBotServer();
  await using scene = await chatScene([{ text: "tea it is" }, { text: "later" }], {
    config: CONFIG(server.url),
    env: { TELEGRAM_BOT_TOKEN: TOKEN, TELEGRAM_ALLOWED_USERS: "7", HERMES_TELEGRAM_TEXT_BATCH_DELAY_SECONDS: "2" },
  });
  await scene.serve();
  // Long texts wait for the whole delay.
  const [before, after] = [`coffee ${"please ".repeat(200)}`, `tea ${"please ".repeat(200)}`];
  server.write({ text: before });
  const { message } = server.last()!;
  server.give({ update_id: server.nextUpdate(), edited_message: { ...message!, text: after } });
  assert.equal((await server.sent()).params["text"], "tea it is");
  assert.match(asked(scene.model.requests[0]!), /^(?!.*coffee).*tea please/s);
  server.give({ update_id: server.nextUpdate(), edited_message: { ...message!, text: "cocoa" } });
  server.write({ text: "and then?" });
  assert.equal((await server.sent()).params["text"], "later");
  assert.doesNotMatch(asked(scene.model.requests[1]!), /cocoa/);
  assert.equal(scene.model.requests.length, 2);
});
