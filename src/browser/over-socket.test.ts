import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure } from "../contract/common/failure.ts";
import type { GuardedSocket } from "../contract/providers/web.ts";
import { overSocket } from "./over-socket.ts";

function socketThat(says: () => AsyncGenerator<string>, more: Partial<GuardedSocket> = {}): GuardedSocket {
  return {
    send: () => undefined,
    messages: says(),
    protocol: undefined,
    closeReason: undefined,
    closeCode: undefined,
    close: () => undefined,
    [Symbol.dispose]: () => undefined,
    ...more,
  };
}

const sentence = (why: string): string => `It is gone: ${why}.`;

test("a refused message fails only its own command", async () => {
  const answered = Promise.withResolvers<string>();
  const send = (message: string | Uint8Array): void => {
    if (String(message).includes("swordfish")) throw new ToolFailure("blocked", "It carries a stored secret.");
    answered.resolve(`{"id":${(JSON.parse(String(message)) as { readonly id: number }).id},"result":{"fine":true}}`);
  };
  const tools = overSocket(
    socketThat(
      async function* () {
        yield answered.promise;
        await new Promise(() => undefined);
      },
      { send },
    ),
    sentence,
  );
  const [refused, fine] = await Promise.allSettled([
    tools.send("Input.insertText", { text: "swordfish" }),
    tools.send("Page.enable"),
  ]);
  assert.match(String((refused as PromiseRejectedResult).reason), /carries a stored secret/);
  assert.deepEqual([fine.status, tools.open], ["fulfilled", true]);
});

test("reports the reason of its end: a broken connection, or the other side's close reason", async () => {
  const why = async (socket: GuardedSocket): Promise<string> => {
    const tools = overSocket(socket, sentence);
    await tools.closed;
    return tools.send("Any.thing").then(
      () => "",
      (cause: Error) => cause.message,
    );
  };
  // oxlint-disable-next-line require-yield
  const breaks = async function* (): AsyncGenerator<string> {
    throw new ToolFailure("unreachable", "x.example closed the connection.");
  };
  assert.equal(await why(socketThat(breaks)), "It is gone: x.example closed the connection.");
  assert.equal(await why(socketThat(async function* () {})), "It is gone: it was closed.");
  assert.equal(
    await why(socketThat(async function* () {}, { closeReason: "session expired" })),
    "It is gone: it was closed: session expired.",
  );
});
