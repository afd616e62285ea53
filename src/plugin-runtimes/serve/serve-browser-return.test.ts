import assert from "node:assert/strict";
import { test } from "node:test";
import type { CliIo } from "../../contract/conversation/command.ts";
import type { PluginContext } from "../../contract/plugins/plugin.ts";
import { ServedReturns } from "./serve-browser-return.ts";

const NOTHING = { read: [], write: [], hosts: [], tools: [] };
const io = (message: string[], interactive: boolean): CliIo => ({
  out: (text) => void message.push(`out ${text}`),
  error: (text) => void message.push(`error ${text}`),
  interactive,
  signal: new AbortController().signal,
});

function place() {
  const seen: unknown[] = [];
  const ctx = {
    id: "mine",
    signal: new AbortController().signal,
    browserReturn: async (at: object) => (
      seen.push(at),
      {
        port: 7,
        came: async (state: string, given: CliIo) => (
          given.out("Paste it."),
          seen.push([state, given.interactive]),
          { code: "c", iss: undefined }
        ),
        [Symbol.dispose]: () => void seen.push("closed"),
      }
    ),
  } as unknown as PluginContext;
  return { seen, ctx };
}

test("the terminal prompt is not part of the command's output, and nothing is asked without a prompter", async () => {
  const { seen, ctx } = place();
  const returns = new ServedReturns(ctx, undefined);
  assert.deepEqual(
    await returns.serve("ctx.browser_return.open", { host: "127.0.0.1", port: 0, path: "/x" }, undefined),
    { return: "1", port: 7 },
  );
  const message: string[] = [];
  const came = (interactive: boolean, own: boolean) =>
    returns.serve(
      "ctx.browser_return.came",
      { return: "1", state: "s", interactive: own },
      { plugin: "mine", scope: { io: io(message, interactive) } },
    );
  assert.deepEqual(await came(true, true), { code: "c", iss: null });
  await came(true, false);
  await came(false, true);
  assert.deepEqual(
    [message, seen.slice(1)],
    [
      ["error Paste it.", "error Paste it.", "error Paste it."],
      [
        ["s", true],
        ["s", false],
        ["s", false],
      ],
    ],
  );
  await returns.serve("ctx.browser_return.close", { return: "1" }, undefined);
  assert.equal(seen.at(-1), "closed");
  await assert.rejects(returns.serve("ctx.browser_return.came", { return: "1", state: "s" }, undefined)!, {
    code: "not_found",
  });
});

test("an installed plugin listens only during a command that the user typed, on a loopback address", async () => {
  const { seen, ctx } = place();
  const returns = new ServedReturns(ctx, NOTHING);
  const open = (host: string, typed: boolean) =>
    returns.serve(
      "ctx.browser_return.open",
      { host, port: 0, path: "/x" },
      typed ? { plugin: "mine", scope: { io: io([], true) } } : undefined,
    )!;
  await assert.rejects(open("127.0.0.1", false), { code: "blocked" });
  for (const host of ["0.0.0.0", "192.168.1.7", "::", ""])
    await assert.rejects(open(host, true), { code: "blocked" }, host);
  assert.deepEqual(await open("localhost", true), { return: "1", port: 7 });
  assert.equal(seen.length, 1);
});

test("limits the addresses at which a plugin waits, and closes one that is opening when its process ends", async () => {
  const { ctx } = place();
  const returns = new ServedReturns(ctx, undefined);
  const open = (of: ServedReturns) =>
    of.serve("ctx.browser_return.open", { host: "127.0.0.1", port: 0, path: "/x" }, undefined)!;
  for (let at = 0; at < 8; at++) await open(returns);
  await assert.rejects(open(returns), { code: "unavailable" });
  const opening = Promise.withResolvers<object>();
  let closed = 0;
  const late = new ServedReturns(
    { id: "mine", browserReturn: () => opening.promise } as unknown as PluginContext,
    undefined,
  );
  const answer = open(late);
  late[Symbol.dispose]();
  opening.resolve({ [Symbol.dispose]: () => void closed++ });
  assert.deepEqual([await answer, closed], [null, 1]);
});
