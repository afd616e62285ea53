import assert from "node:assert/strict";
import { test } from "node:test";
import { Rooms } from "./rooms.ts";

const never = new AbortController().signal;

test("limits parallel runs per session; further ones wait in order, and other sessions do not wait for them", async () => {
  const rooms = new Rooms();
  const began: string[] = [];
  const take = async (session: string, name: string) => {
    const room = await rooms.take(session, 2, never);
    began.push(name);
    return room;
  };
  const [first, second] = await Promise.all([take("a", "1"), take("a", "2")]);
  const third = take("a", "3");
  const fourth = take("a", "4");
  await take("b", "other");
  assert.deepEqual(began, ["1", "2", "other"]);
  second[Symbol.dispose]();
  (await third)[Symbol.dispose]();
  first[Symbol.dispose]();
  await fourth;
  assert.deepEqual(began, ["1", "2", "other", "3", "4"]);
});

test("a waiter that is aborted leaves the queue, and the next ones proceed", async () => {
  const rooms = new Rooms();
  const first = await rooms.take("a", 1, never);
  const stop = new AbortController();
  const waiting = rooms.take("a", 1, stop.signal);
  const behind = rooms.take("a", 1, never);
  stop.abort(new Error("stopped"));
  await assert.rejects(waiting, /stopped/);
  first[Symbol.dispose]();
  await behind;
});

test("a waiter that is aborted when a slot becomes free passes it to the next one", { timeout: 10_000 }, async () => {
  const rooms = new Rooms();
  const first = await rooms.take("a", 1, never);
  const stop = new AbortController();
  const waiting = rooms.take("a", 1, stop.signal);
  const behind = rooms.take("a", 1, never);
  first[Symbol.dispose]();
  stop.abort(new Error("stopped"));
  await assert.rejects(waiting, /stopped/);
  await behind;
});
