import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openChatLanes } from "./chat-lanes.ts";
import { openSqliteStore } from "../facts/open-store.ts";

const TO = { platform: "p", chatId: "c" };

test("resumes an answer that edits its message; reports, but does not resend, a separate message of unknown outcome", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "hermes-lanes-"));
  t.after(() => rmSync(home, { recursive: true }));
  await using store = await openSqliteStore({ home });
  const lanes = await openChatLanes(store, () => 1);
  for (const key of ["into", "apart"]) {
    await lanes.showing(key, `m-${key}`);
    await lanes.finish(undefined, { to: TO, text: key, key });
  }
  const [into, apart] = await lanes.waiting(0);
  assert.deepEqual([into?.edits, apart?.edits], ["m-into", "m-apart"]);
  for (const one of [into, apart]) await lanes.sending(one!.id);
  await lanes.apart(apart!.id);
  assert.deepEqual(
    (await lanes.unsure(({ id, to }) => ({ to, text: "in doubt", key: `doubt:${id}` }))).map(({ key, edits }) => [
      key,
      edits,
    ]),
    [["apart", ""]],
  );
  assert.deepEqual(
    (await lanes.waiting(0)).map(({ key }) => key),
    ["into", `doubt:${apart!.id}`],
  );
});

async function lanesIn(t: { after(work: () => void): void }, now = () => 1) {
  const home = mkdtempSync(join(tmpdir(), "hermes-lanes-"));
  t.after(() => rmSync(home, { recursive: true }));
  const store = await openSqliteStore({ home });
  return { lanes: await openChatLanes(store, now), home, store };
}

const said = (text: string, message_id: string) => ({
  platform: "p",
  sessionKey: "agent:main:p:dm:c",
  message: { text, chat_id: "c", user_id: "ada", message_id },
});

test("joined messages stay one message, also for the next process", async (t) => {
  const { lanes, home, store } = await lanesIn(t);
  const ids = [await lanes.receive(said("one", "1")), await lanes.receive(said("two", "2"))] as number[];
  await lanes.join(ids, { ...said("one\ntwo", "2").message });
  await store[Symbol.asyncDispose]();
  await using again = await openSqliteStore({ home });
  const later = await openChatLanes(again, () => 2);
  assert.deepEqual(
    (await later.unfinished()).map(({ id, message }) => [id, message.text]),
    [[ids[0], "one\ntwo"]],
  );
  assert.equal(await later.receive(said("two", "2")), "duplicate");
});

test("a waiting message follows its author's edits and deletion; one already passed on does not", async (t) => {
  const { lanes, store } = await lanesIn(t);
  await using _store = store;
  const [first, second, third] = [
    (await lanes.receive(said("tow", "1"))) as number,
    (await lanes.receive(said("oops", "2"))) as number,
    (await lanes.receive(said("given", "3"))) as number,
  ];
  await lanes.hand(third, "s");
  const revise = (messageId: string, text: string | undefined) =>
    lanes.revise({ platform: "p", chatId: "c", messageId }, text);
  assert.deepEqual(await revise("1", "two"), { id: first, state: "new" });
  assert.deepEqual(await revise("2", undefined), { id: second, state: "new" });
  assert.deepEqual(await revise("3", "other"), { id: third, state: "handed" });
  assert.equal(await revise("4", "unknown"), undefined);
  assert.deepEqual(
    (await lanes.unfinished()).map(({ message }) => message.text),
    ["two", "given"],
  );
  assert.deepEqual(await lanes.backlog("p", "agent:main:p:dm:c"), { all: 2, own: 2 });
  assert.deepEqual(await lanes.backlog("p", "agent:main:p:dm:other"), { all: 2, own: 0 });
});

test("remembers a delivery by route and ID, with its reply, until it is pruned", async (t) => {
  let now = 1;
  const { lanes, store } = await lanesIn(t, () => now);
  await using _store = store;
  assert.equal(await lanes.noteDelivery("/a", "1", { status: 202 }), undefined);
  assert.deepEqual(await lanes.noteDelivery("/a", "1", { status: 500 }), { status: 202 });
  assert.deepEqual([await lanes.delivered("/a", "1"), await lanes.delivered("/b", "1")], [{ status: 202 }, undefined]);
  now = 10;
  await lanes.prune(5);
  assert.equal(await lanes.delivered("/a", "1"), undefined);
});

test("lists unsent messages, and queues a failed one again for the running gateway", async (t) => {
  const { lanes, store } = await lanesIn(t, () => 7);
  await using _store = store;
  for (const key of ["one", "two", "three"])
    await lanes.finish(undefined, { to: { platform: "p", chatId: "c" }, text: key, key });
  const [one, two, three] = (await lanes.waiting(0)).map(({ id }) => id) as [number, number, number];
  await lanes.unsent(one, "blocked by the user", true);
  await lanes.sent(two, 1, true);
  const listed = { at: 7, to: { platform: "p", chatId: "c" }, files: 0 };
  assert.deepEqual(await lanes.pendingDeliveries(10), [
    { ...listed, id: three, text: "three", state: "waiting", why: undefined },
    { ...listed, id: one, text: "one", state: "failed", why: "blocked by the user" },
  ]);
  assert.equal(await lanes.resend(three), false);
  assert.equal(await lanes.resend(one), true);
  assert.equal(await lanes.resend(one), false);
  assert.deepEqual(
    (await lanes.waiting(three)).map(({ text, key }) => [text, key]),
    [["one", "one"]],
  );
  await lanes.finish(undefined, { to: { platform: "p", chatId: "c" }, text: "four", key: "four" });
  assert.deepEqual(
    (await lanes.waiting(three)).map(({ text }) => text),
    ["one", "four"],
  );
});
