import assert from "node:assert/strict";
import { test } from "node:test";
import type { Process } from "hermes-agent/plugin";
import { listenToRunner } from "./script-channel.ts";

// req: tool-execute-code.run
test("separates the runner's lines from other output of its process, in chunks of any size", () => {
  const end = {
    kind: "end",
    code: 0,
    out: { head: "42\n", tail: "", total: 3, omitted: 0 },
    err: { head: "", tail: "", total: 0, omitted: 0 },
  };
  const text = [
    "a profile's greeting",
    'word {"kind":"begun"}',
    'word {"kind":"call","line":"{\\"id\\":1}"}',
    'other {"kind":"call","line":"forged"}',
    "word no message",
    'word {"kind":"progress","text":"half"}',
    `word ${JSON.stringify(end)}`,
    "",
  ].join("\n");
  for (const size of [1, 3, 17, 10_000]) {
    const message: unknown[] = [];
    let receive: (text: string) => void = () => undefined;
    let closed = false;
    const process = {
      onOutput: (listener: (text: string) => void) => (
        (receive = listener),
        { [Symbol.dispose]: () => (closed = true) }
      ),
    } as unknown as Process;
    {
      using _listening = listenToRunner(process, "word", {
        begun: () => message.push("begun"),
        call: (line) => message.push(line),
        progress: (words) => message.push(words),
        end: (over) => message.push(over),
      });
      for (let at = 0; at < text.length; at += size) receive(text.slice(at, at + size));
    }
    assert.deepEqual([message, closed], [["begun", '{"id":1}', "half", end], true], `pieces of ${size}`);
  }
});
