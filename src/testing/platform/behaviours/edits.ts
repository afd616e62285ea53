import assert from "node:assert/strict";
import type { Behaviour, BehaviourGroup } from "../behaviour.ts";
import { NotApplicable } from "../platform-bench.ts";

const behaviours: readonly Behaviour[] = [
  {
    name: "edits a message by the id from sending it, and repeating the edit does no harm",
    needs: ["edits"],
    async run({ adapter, played, chat, sends, arrives }) {
      const message_id = await sends("half");
      await arrives("half");
      assert.notEqual(message_id, "", "send returns the message's id");
      for (const finalize of [false, true, true]) {
        assert.equal((await adapter.edit_message!(chat, message_id, "the whole", { finalize })).success, true);
        assert.deepEqual(await played.changed!(), { message_id, text: "the whole" });
      }
    },
  },
  {
    name: "an edit that is no longer possible is final, and the next message arrives",
    needs: ["edits", "refusals"],
    async run({ adapter, chat, sends, arrives }) {
      const edited = await adapter.edit_message!(chat, "987654321", "into nothing", { finalize: true });
      assert.equal(edited.success, false);
      assert.equal(edited.retryable ?? false, false);
      await sends("a new one");
      await arrives("a new one");
    },
  },
  {
    name: "a preview reports a requested pause instead of waiting",
    needs: ["edits", "rate_limits"],
    async run({ adapter, played, chat, sends, arrives }) {
      const message_id = await sends("half");
      await arrives("half");
      played.throttle!(30);
      const before = performance.now();
      const edited = await adapter.edit_message!(chat, message_id, "more", { finalize: false });
      assert.ok(performance.now() - before < 10_000, "the edit must not wait for the rate limit");
      assert.deepEqual([edited.success, edited.retry_after], [false, 30]);
    },
  },
  {
    name: "deletes its own message",
    needs: ["deletes"],
    async run({ adapter, played, chat, sends, arrives }) {
      const message_id = await sends("a draft");
      await arrives("a draft");
      assert.equal(await adapter.delete_message!(chat, message_id), true);
      assert.deepEqual(await played.deleted!(), { message_id });
    },
  },
  {
    name: "shows on a message that the agent works on it, and how that ended; twice does no harm",
    needs: ["acknowledgements", "message_ids"],
    async run({ adapter, played, chat, nextMessage }) {
      await played.write(chat, "ada", "a task");
      const { message_id = "" } = await nextMessage();
      for (const state of ["working", "working", "done"] as const) await adapter.acknowledge!(chat, message_id, state);
      let seen = await played.acknowledged!();
      assert.deepEqual(seen, { message_id, state: "working" });
      while (seen.state === "working") seen = await played.acknowledged!();
      assert.deepEqual(seen, { message_id, state: "done" });
    },
  },
  {
    name: "shows that the agent types",
    needs: ["typing"],
    async run({ adapter, played, chat }) {
      await adapter.send_typing!(chat, { metadata: {} });
      assert.deepEqual(await played.typing!(), { chat_id: chat });
    },
  },
];

export const EDITS: BehaviourGroup = { group: "edits, reactions and typing", behaviours };

const QUESTION = [
  { label: "Once", data: "q1:once" },
  { label: "Deny", data: "q1:deny" },
];

export const CHOICES: BehaviourGroup = {
  group: "choices",
  behaviours: [
    {
      name: "a question has its buttons",
      needs: ["buttons"],
      async run({ sends, arrives }) {
        await sends("May I?", { metadata: { buttons: QUESTION } });
        assert.deepEqual((await arrives("May I?")).buttons, ["Once", "Deny"]);
      },
    },
    {
      name: "a press comes back with the button's data, its chat and who pressed it",
      needs: ["buttons"],
      async run({ played, chat, sends, arrives, nextMessage }) {
        await sends("May I?", { metadata: { buttons: QUESTION } });
        await arrives("May I?");
        await played.press!(chat, "bob", "Deny");
        const { pressed, chat_id, user_id } = await nextMessage();
        assert.deepEqual([pressed, chat_id, user_id], ["q1:deny", chat, "bob"]);
      },
    },
    {
      name: "two presses have different ids, so that both count",
      needs: ["buttons", "message_ids"],
      async run({ played, chat, sends, arrives, nextMessage }) {
        await sends("May I?", { metadata: { buttons: QUESTION } });
        await arrives("May I?");
        const ids: (string | undefined)[] = [];
        for (const label of ["Once", "Deny"]) {
          await played.press!(chat, "ada", label);
          ids.push((await nextMessage()).message_id);
        }
        assert.ok(ids.every((id) => id !== undefined) && ids[0] !== ids[1], ids.join(", "));
      },
    },
    {
      name: "60 characters of button data come back unchanged",
      needs: ["buttons"],
      async run({ played, chat, sends, arrives, nextMessage }) {
        const data = `q1:${"x".repeat(57)}`;
        await sends("Long?", { metadata: { buttons: [{ label: "Yes", data }] } });
        await arrives("Long?");
        await played.press!(chat, "ada", "Yes");
        assert.equal((await nextMessage()).pressed, data);
      },
    },
    {
      name: "without buttons a question arrives as text, and a number answers it",
      async run({ played, chat, sends, arrives, nextMessage }) {
        if (played.platform.offers?.includes("buttons") !== false) throw new NotApplicable("it has buttons");
        await sends("Which? 1. red 2. blue", { metadata: { buttons: QUESTION } });
        await arrives("Which? 1. red 2. blue");
        await played.write(chat, "ada", "2");
        assert.equal((await nextMessage()).text, "2");
      },
    },
  ],
};
