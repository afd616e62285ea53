import assert from "node:assert/strict";
import type { Behaviour, BehaviourGroup } from "../behaviour.ts";

const behaviours: readonly Behaviour[] = [
  {
    name: "marks a message of a group, with its author",
    needs: ["groups"],
    async run({ played, nextMessage }) {
      const group = played.group ?? assert.fail("the other end needs a group");
      await played.write(group, "ada", "good morning", { mention: true });
      const { chat_id, chat_type, user_id } = await nextMessage();
      assert.deepEqual([chat_id, user_id], [group, "ada"]);
      assert.match(String(chat_type), /^(?:group|channel|thread)$/);
    },
  },
  {
    name: "distinguishes the users of a group",
    needs: ["groups"],
    async run({ played, nextMessage }) {
      for (const user of ["ada", "bob"]) {
        await played.write(played.group!, user, "hello", { mention: true });
        assert.equal((await nextMessage()).user_id, user);
      }
    },
  },
  {
    name: "sends to a group",
    needs: ["groups"],
    async run({ played, adapter, arrives }) {
      const sent = await adapter.send(played.group!, "hello, all", {});
      assert.notEqual(sent?.success, false);
      await arrives("hello, all", played.group);
    },
  },
  {
    name: "ignores a message of a group that is not addressed to the agent",
    needs: ["mentions"],
    async run({ played, nothingComes }) {
      await played.write(played.group!, "ada", "talking to bob", { mention: false });
      await nothingComes();
    },
  },
  {
    name: "removes its own mention from the text",
    needs: ["mentions"],
    async run({ played, nextMessage }) {
      await played.write(played.group!, "ada", "what time is it?", { mention: true });
      assert.equal((await nextMessage()).text, "what time is it?");
    },
  },
  {
    name: "treats a reply to the agent's message in a group as addressed to the agent",
    needs: ["mentions", "replies", "message_ids"],
    async run({ played, adapter, arrives, nextMessage }) {
      const sent = await adapter.send(played.group!, "shall I?", {});
      await arrives("shall I?", played.group);
      await played.write(played.group!, "ada", "yes please", { mention: false, answering: sent?.message_id ?? "" });
      assert.equal((await nextMessage()).text, "yes please");
    },
  },
  {
    name: "ignores other bots",
    needs: ["groups", "bots"],
    async run({ played, nothingComes }) {
      await played.write(played.group!, "bob", "beep", { mention: true, bot: true });
      await nothingComes();
    },
  },
  {
    name: "passes on the quoted text of a reply",
    needs: ["replies"],
    async run({ played, chat, nextMessage }) {
      await played.write(chat, "ada", "what do you think?", { quoting: "Bob says no" });
      const { text, reply_to_text = "" } = await nextMessage();
      assert.deepEqual([text, reply_to_text], ["what do you think?", "Bob says no"]);
    },
  },
  {
    name: "an answer is a reply to its message",
    needs: ["replies", "message_ids"],
    async run({ played, chat, nextMessage, sends, arrives }) {
      await played.write(chat, "ada", "a question");
      const { message_id } = await nextMessage();
      await sends("an answer", { reply_to: message_id });
      assert.equal((await arrives("an answer")).reply_to, message_id);
    },
  },
  {
    name: "a message in a thread includes the thread's ID",
    needs: ["threads"],
    async run({ played, nextMessage }) {
      await played.write(played.group!, "ada", "in the thread", { thread: "17", mention: true });
      assert.equal((await nextMessage()).thread_id, "17");
    },
  },
  {
    name: "an answer goes to the thread of the message",
    needs: ["threads"],
    async run({ played, adapter, arrives }) {
      const sent = await adapter.send(played.group!, "to the thread", { metadata: { thread_id: "17" } });
      assert.notEqual(sent?.success, false);
      assert.equal((await arrives("to the thread", played.group)).thread, "17");
    },
  },
];

export const GROUPS: BehaviourGroup = { group: "groups, replies and threads", behaviours };
