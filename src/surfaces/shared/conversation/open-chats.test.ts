import assert from "node:assert/strict";
import { test } from "node:test";
import { IDLE_MS, OpenChats, type OpenChat } from "./open-chats.ts";

function world() {
  let now = 0;
  const made: string[] = [];
  const chats = new OpenChats<OpenChat & { readonly key: string }>(() => now);
  const of = (key: string, more: Partial<OpenChat> = {}) =>
    chats.of(key, () => (made.push(key), { key, usedAt: -1, busy: false, rest: async () => true, ...more }));
  return { chats, made, of, keys: () => chats.all.map(({ key }) => key), pass: (ms: number) => void (now += ms) };
}

test("opens a chat once while it is used, and closes it after an hour without use", async () => {
  const { chats, made, of, keys, pass } = world();
  of("a");
  of("b");
  pass(IDLE_MS);
  of("b");
  await chats.sweep();
  assert.deepEqual(keys(), ["a", "b"]);
  pass(1);
  await chats.sweep();
  assert.deepEqual(keys(), ["b"]);
  of("a");
  of("b");
  assert.deepEqual(made, ["a", "b", "a"]);
});

test("keeps a busy chat, and one that gets a message while it closes", async () => {
  const { chats, of, keys, pass } = world();
  const resting = Promise.withResolvers<boolean>();
  const works = of("works", { busy: true, rest: async () => false });
  const woken = of("woken", { rest: () => resting.promise });
  pass(IDLE_MS + 1);
  assert.equal(chats.busy, 1);
  const swept = chats.sweep();
  assert.equal(of("woken"), woken);
  resting.resolve(true);
  await swept;
  assert.deepEqual(keys(), ["works", "woken"]);
  assert.equal(of("works"), works);
});

test("closes the least recently used chats above the limit", async () => {
  let now = 0;
  const chats = new OpenChats<OpenChat & { readonly key: string }>(() => now++, 2);
  for (const key of ["a", "b", "c", "works"])
    chats.of(key, () => ({ key, usedAt: -1, busy: false, rest: async () => key !== "works" }));
  chats.of("a", () => assert.fail("it is there"));
  chats.of("c", () => assert.fail("it is there"));
  await chats.sweep();
  assert.deepEqual(
    chats.all.map(({ key }) => key),
    ["a", "c", "works"],
  );
});
