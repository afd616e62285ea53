import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure, type GuardedSocket, type OpenSocket, type SocketOptions } from "hermes-agent/plugin";
import { EDGE } from "./edge.ts";
import type { Speech } from "./voice.ts";

/** A piece of sound as the service frames it. */
function sound(words: string): Uint8Array {
  const head = "X-RequestId:1\r\nPath:audio\r\n";
  const length = Buffer.alloc(2);
  length.writeUInt16BE(head.length);
  return Buffer.concat([length, Buffer.from(head), Buffer.from(words)]);
}

/** A guarded fetch whose connections send these messages after they receive the text. */
function door(...text: readonly (string | Uint8Array)[]) {
  const asked: { readonly url: string; readonly options: SocketOptions; readonly sent: string[]; closed: boolean }[] =
    [];
  const open: OpenSocket = async (url, options = {}) => {
    const one = { url, options, sent: [] as string[], closed: false };
    asked.push(one);
    const socket: GuardedSocket = {
      protocol: undefined,
      send: (message: string | Uint8Array) => void one.sent.push(String(message)),
      async *messages() {
        yield* text;
        // Nothing more comes; only its signal ends it.
        await new Promise((_, reject) =>
          options.signal!.addEventListener("abort", () => reject(options.signal!.reason), { once: true }),
        );
      },
      close: () => void (one.closed = true),
      [Symbol.dispose]: () => void (one.closed = true),
    } as unknown as GuardedSocket;
    return Object.assign(socket, { messages: (socket.messages as unknown as () => AsyncIterable<string>)() });
  };
  return { asked, open };
}

const speak = (open: OpenSocket, more: Partial<Speech> = {}): Promise<Uint8Array> =>
  EDGE.speak({
    text: "Tea & cake",
    voice: undefined,
    model: undefined,
    speed: undefined,
    format: "mp3",
    settings: {},
    key: "",
    fetch: () => Promise.reject(new Error("no fetch")),
    socket: open,
    signal: new AbortController().signal,
    ...more,
  });

test("contacts Edge only through guarded fetch, sends settings and text, and joins the audio until the end message", async () => {
  const { asked, open } = door(
    "Path:turn.start\r\n\r\n{}",
    sound("one "),
    sound(""),
    sound("two"),
    "Path:turn.end\r\n\r\n{}",
    sound("three"),
  );
  assert.equal(Buffer.from(await speak(open)).toString(), "one two");
  const [{ url, options, sent, closed }] = asked as [(typeof asked)[number]];
  assert.match(url, /^wss:\/\/speech\.platform\.bing\.com\/.*&Sec-MS-GEC=[0-9A-F]{64}&/);
  assert.deepEqual([sent.length, options.sending, closed], [2, "Tea & cake", true]);
  assert.match(sent[0]!, /Path:speech\.config/);
  assert.match(sent[1]!, /Path:ssml\r\n.*en-US-AriaNeural.*Tea &amp; cake/s);
});

test("reports refusals and aborted answers of Edge, keeps a guard's refusal, and closes every connection", async () => {
  const refusing =
    (code: string): OpenSocket =>
    () =>
      Promise.reject(new ToolFailure(code, "x.example answered 403 instead of opening a WebSocket."));
  await assert.rejects(
    speak(refusing("unreachable")),
    (cause: ToolFailure) =>
      cause.code === "failed" &&
      /no connection: x\.example answered 403 .*Check the network and the system clock/.test(cause.message),
  );
  await assert.rejects(speak(refusing("blocked")), (cause: ToolFailure) => cause.code === "blocked");
  for (const [text, words] of [
    [["Path:turn.end\r\n"], /sent no audio/],
    [[Buffer.from([0, 1, 65])], /not audio/],
  ] as const) {
    const { asked, open } = door(...text);
    await assert.rejects(speak(open), words);
    assert.equal(asked[0]!.closed, true);
  }
  await assert.rejects(speak(door().open, { voice: "a'/><break" }), /not the name of an Edge voice/);
});

test("the caller's abort closes a silent connection with its reason", async () => {
  const stop = new AbortController();
  const { asked, open } = door(sound("one"));
  const speaking = speak(open, { signal: stop.signal });
  setImmediate(() => stop.abort(new Error("stopped by the user")));
  await assert.rejects(speaking, /stopped by the user/);
  assert.equal(asked[0]!.closed, true);
});
