import assert from "node:assert/strict";
import { test } from "node:test";
import type { Channel } from "./channel.ts";
import { ShellTalk } from "./shell-talk.ts";

/** An environment that sends what the test sets, and records what it receives. */
function talk() {
  const orders: string[] = [];
  const closed = Promise.withResolvers<string>();
  let say: (bytes: Uint8Array) => void = () => {};
  const channel: Channel = {
    write: (bytes) => void orders.push(String(bytes)),
    listen: (_, control) => (say = control),
    closed: closed.promise,
    kill: () => closed.resolve("bash was let go"),
    hold: () => ({ [Symbol.dispose]() {} }),
  };
  return {
    it: new ShellTalk(channel),
    orders,
    closed,
    says: (...notices: readonly string[]) => say(Buffer.from(notices.map((notice) => `${notice}\0`).join(""))),
  };
}

test("reports the shell's directory; after a command replaced the shell, the new one gets the saved state", async () => {
  const { it, orders, says } = talk();
  const beginning = it.begin({ cwd: "/" });
  says("dir  /tmp/hermes-terminal-1", "home  /home/me", "at  /start", "init 0 ");
  await beginning;
  assert.deepEqual([it.directory, it.home, it.cwd], ["/tmp/hermes-terminal-1", "/home/me", "/start"]);
  const done = it.notices.wait("done", 1);
  says("done 1 3 /else where");
  assert.deepEqual([await done, it.cwd], ["3 /else where", "/else where"]);
  const before = orders.length;
  says("left 2 0 /");
  assert.equal(orders.length, before + 1);
  it.retiring = true;
  says("left 3 0 /");
  assert.equal(orders.length, before + 1, "a retiring shell starts no replacement");
});

test("counts a left-behind process once", () => {
  const { it, says } = talk();
  assert.equal(it.takeStrays(), false);
  says("stray  11 12");
  assert.deepEqual([it.takeStrays(), it.takeStrays()], [true, false]);
  says("stray  12");
  assert.equal(it.takeStrays(), false);
  says("stray  12 13");
  assert.equal(it.takeStrays(), true);
});

test("distinguishes an ended shell from a lost connection, and sends nothing to either", async () => {
  const gone = talk();
  gone.says("gone  137");
  assert.deepEqual([await gone.it.gone, gone.it.over], [137, "gone"]);
  gone.it.order("still heard");
  assert.deepEqual(gone.orders, ["still heard\n"]);

  const lost = talk();
  lost.says("Connection reset\n");
  lost.closed.resolve("ssh ended with 255");
  assert.match(await lost.it.lost, /^ssh ended with 255: Connection reset/);
  lost.it.order("not heard");
  assert.deepEqual([lost.it.over, lost.orders], ["lost", []]);

  const silent = talk();
  const beginning = silent.it.begin({ cwd: "/" });
  silent.it.drop();
  await assert.rejects(beginning, { name: "TerminalUnavailable", message: "The shell did not start: bash was let go" });
});
