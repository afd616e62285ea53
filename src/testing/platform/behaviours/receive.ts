import assert from "node:assert/strict";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import type { Behaviour, BehaviourGroup } from "../behaviour.ts";
import { NotApplicable, type PlatformBench } from "../platform-bench.ts";

/** Each arrives exactly as it was written. */
const TEXTS: { readonly [what: string]: string } = {
  "plain text": "plain",
  "umlauts, other scripts and emoji": "Grüße, 漢字 🦀",
  "quotes, backslashes and line breaks": 'quotes " and \\ and\nbreaks',
  "a long text": "long ".repeat(300).trim(),
  "text that looks like markup": "<b>1 < 2</b> & *stars* _low_ `code` [a](b)",
};

const exact: readonly Behaviour[] = Object.entries(TEXTS).map(([what, text]) => ({
  name: `receives ${what} exactly, with its chat and its author`,
  async run({ played, chat, nextMessage }) {
    if (!(played.sayable?.(text) ?? true)) throw new NotApplicable("one message cannot hold this text");
    await played.write(chat, "ada", text);
    const received = await nextMessage();
    assert.deepEqual([received.text, received.chat_id, received.user_id], [text, chat, "ada"]);
  },
}));

const sent: readonly Behaviour[] = Object.entries(TEXTS)
  .filter(([what]) => !what.includes("markup"))
  .map(([what, text]) => ({
    name: `sends ${what} whole`,
    async run({ played, sends, arrives }) {
      if (!(played.sayable?.(text) ?? true)) throw new NotApplicable("one message cannot hold this text");
      await sends(`You said: ${text}`);
      await arrives(`You said: ${text}`);
    },
  }));

const behaviours: readonly Behaviour[] = [
  ...exact,
  ...sent,
  {
    name: "sends while a message is still being handled",
    options: { connects: false },
    async run({ played, chat }) {
      const answered = Promise.withResolvers<void>();
      const adapter = await played.platform.adapter_factory({
        enabled: true,
        extra: played.extra ?? {},
        message: async ({ chat_id }) => {
          await adapter.send(chat_id, "One moment.", {});
          answered.resolve();
        },
      });
      await adapter.connect({ is_reconnect: false });
      await played.write(chat, "ada", "hello");
      assert.equal((await played.arrived()).text, "One moment.");
      await answered.promise;
      await adapter.disconnect();
    },
  },
  {
    name: "distinguishes the authors of one chat",
    async run(bench) {
      const authors: (string | undefined)[] = [];
      for (const user of ["ada", "bob", "ada"]) {
        await bench.played.write(bench.chat, user, `I am ${user}`);
        authors.push((await bench.nextMessage()).user_id);
      }
      assert.deepEqual(authors, ["ada", "bob", "ada"]);
    },
  },
  {
    name: "keeps the order of twenty messages",
    async run(bench) {
      const texts = Array.from({ length: 20 }, (_, at) => `number ${at}`);
      for (const text of texts) await bench.played.write(bench.chat, "ada", text);
      assert.deepEqual(await textsOf(bench, 20), texts);
    },
  },
  {
    name: "does not receive its own messages",
    async run({ sends, arrives, nothingComes }) {
      await sends("from the agent");
      await arrives("from the agent");
      await nothingComes();
    },
  },
  {
    name: "receives a slash command as it was typed",
    async run({ played, chat, nextMessage }) {
      await played.write(chat, "ada", "/status now");
      assert.equal((await nextMessage()).text, "/status now");
    },
  },
  {
    name: "gives every message an id, so that a repeated one is recognised",
    needs: ["message_ids"],
    async run({ played, chat, nextMessage }) {
      const ids: (string | undefined)[] = [];
      for (const text of ["same", "same"]) {
        await played.write(chat, "ada", text);
        ids.push((await nextMessage()).message_id);
      }
      assert.ok(
        ids.every((id) => typeof id === "string" && id !== ""),
        `ids: ${ids.join(", ")}`,
      );
      assert.notEqual(ids[0], ids[1]);
    },
  },
  {
    name: "a repeated delivery has the same id, or is dropped",
    needs: ["message_ids"],
    async run({ played, chat, nextMessage, nothingComes }) {
      assert.ok(played.redeliver !== undefined, "the other end needs redeliver()");
      await played.write(chat, "ada", "once");
      const first = await nextMessage();
      await played.redeliver();
      await played.write(chat, "ada", "then");
      const next = await nextMessage();
      if (next.text !== "then") {
        assert.deepEqual([next.message_id, next.chat_id], [first.message_id, first.chat_id]);
        assert.equal((await nextMessage()).text, "then");
      }
      await nothingComes();
    },
  },
  {
    name: "keeps two chats apart",
    far: ["otherChat"],
    async run({ played, chat, nextMessage }) {
      await played.write(chat, "ada", "here");
      await played.write(played.otherChat!, "bob", "there");
      const messages = [await nextMessage(), await nextMessage()];
      assert.deepEqual(
        messages.map(({ chat_id, text }) => `${chat_id} ${text}`).toSorted(),
        [`${chat} here`, `${played.otherChat} there`].toSorted(),
      );
    },
  },
  {
    name: "refuses a forged delivery before it reaches the gateway",
    needs: ["pushed"],
    async run({ played, nothingComes }) {
      assert.ok(played.forge !== undefined, "the other end needs forge()");
      assert.equal(await played.forge(), 401);
      await nothingComes();
    },
  },
  {
    name: "passes on that a user changed a message, with its id and the new text",
    needs: ["edits_received"],
    async run({ played, chat, nextMessage }) {
      const id = await written(played.write(chat, "ada", "tow"), nextMessage);
      await played.edit!(chat, "ada", id, "two");
      const { edits, text, user_id, message_id } = await nextMessage();
      assert.deepEqual([edits, text, user_id, message_id], [id, "two", "ada", undefined]);
    },
  },
  {
    name: "passes on that a user deleted a message",
    needs: ["deletes_received"],
    async run({ played, chat, nextMessage }) {
      const id = await written(played.write(chat, "ada", "oops"), nextMessage);
      await played.remove!(chat, "ada", id);
      assert.equal((await nextMessage()).deletes, id);
    },
  },
];

async function written(work: Promise<void>, next: () => Promise<PlatformMessage>): Promise<string> {
  await work;
  return (await next()).message_id ?? assert.fail("a message that can be changed has an id");
}

async function textsOf(bench: PlatformBench, count: number): Promise<readonly string[]> {
  const texts: string[] = [];
  while (texts.length < count) texts.push((await bench.nextMessage()).text);
  return texts;
}

export const RECEIVE: BehaviourGroup = { group: "receive and send", behaviours };
