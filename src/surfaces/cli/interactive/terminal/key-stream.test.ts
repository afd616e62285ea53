import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { KeyStream } from "./key-stream.ts";

const ESCAPE = "\x1b[27u";
const paste = (text: string): string => `\x1b[200~${text}\x1b[201~`;

interface Typing {
  readonly keys: KeyStream;
  readonly received: string[];
  /** Writes text, and pauses for each number of milliseconds. */
  feed(...steps: readonly (string | number)[]): readonly string[];
}

function typing(t: TestContext, options: { readonly typedAhead?: boolean } = {}): Typing {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const received: string[] = [];
  const keys = new KeyStream((data) => void received.push(data), options);
  return {
    keys,
    received,
    feed(...steps) {
      for (const step of steps) {
        if (typeof step === "string") keys.write(step);
        else t.mock.timers.tick(step);
      }
      return received.splice(0);
    },
  };
}

test("passes on keys, sequences and pastes as they are", (t) => {
  const { feed } = typing(t);
  assert.deepEqual(feed("a"), ["a"]);
  assert.deepEqual(feed("é漢👩‍💻"), ["é漢👩‍💻"]);
  assert.deepEqual(feed("\r"), ["\r"]);
  assert.deepEqual(feed("\x1b[A"), ["\x1b[A"]);
  assert.deepEqual(feed("\x1bOP\x1bx\x1b\r\x1b[1;5D"), ["\x1bOP", "\x1bx", "\x1b\r", "\x1b[1;5D"]);
  assert.deepEqual(feed("\x1b[<0;3;4M\x1b[M !!"), ["\x1b[<0;3;4M", "\x1b[M !!"]);
  assert.deepEqual(feed("\x1b]11;rgb:00/00/00\x1b\\x"), ["\x1b]11;rgb:00/00/00\x1b\\", "x"]);
  assert.deepEqual(feed(`x${paste("two\rlines")}\r`), ["x", paste("two\rlines"), "\r"]);
});

// field: T01
test("a paste whose end never arrives ends after a second, and keys work again", (t) => {
  const { feed } = typing(t);
  assert.deepEqual(feed("\x1b[200~ab", 999), []);
  assert.deepEqual(feed(1), [paste("ab")]);
  assert.deepEqual(feed("\r", "\x04"), ["\r", "\x04"]);
});

// field: T01
test("Escape or Ctrl-C ends a paste whose end never arrives, and keeps its usual effect", (t) => {
  const { feed } = typing(t);
  for (const [pressed, key] of [
    ["\x1b", ESCAPE],
    ["\x03", "\x03"],
    ["\x1b[27u", "\x1b[27u"],
    ["\x1b[99;5u", "\x1b[99;5u"],
    ["\x1b[27;5;99~", "\x1b[27;5;99~"],
  ] as const) {
    assert.deepEqual(feed("\x1b[200~ab", pressed, 100), [paste("ab"), key], JSON.stringify(pressed));
    assert.deepEqual(feed("c"), ["c"]);
  }
  assert.deepEqual(feed("\x1b[200~", "\x03", 100), ["\x03"], "an empty paste is none");
  assert.deepEqual(feed("\x1b[200~ab\x03", paste("c")), [paste("ab"), "\x03", paste("c")]);
});

// field: T01
test("the rest of a paste after a pause is pasted, not sent, and its end mark is dropped", (t) => {
  const { feed } = typing(t);
  assert.deepEqual(feed("\x1b[200~one\r", 1_000), [paste("one\r")]);
  assert.deepEqual(feed("two\r\x1b[201~"), [paste("two\r")]);
  assert.deepEqual(feed("\r"), ["\r"]);
});

// field: T01
test("an Escape byte, Ctrl-C and a part of the end mark inside a paste do not end it while it arrives", (t) => {
  const { feed } = typing(t);
  assert.deepEqual(feed("\x1b[200~a\x1b", 60, "[201~"), [paste("a")]);
  assert.deepEqual(feed("\x1b[200~a\x03", 60, "b\x1b[20", 900, "1~"), [paste("a\x03b")]);
  assert.deepEqual(feed("\x1b[200~a\x1b[20", 1_000), [paste("a")]);
});

// field: T02
test("waits for the rest of a sequence that has begun", (t) => {
  const { feed } = typing(t);
  assert.deepEqual(feed("\x1b[200", 60, "~one\rtwo\x1b[201~"), [paste("one\rtwo")]);
  assert.deepEqual(feed("\x1b", 15, "[D"), ["\x1b[D"]);
  assert.deepEqual(feed("\x1b[", 900, "1;5", 900, "C"), ["\x1b[1;5C"]);
  assert.deepEqual(feed("\x1b", 15, "OA", "\x1bO", 60, "B"), ["\x1bOA", "\x1bOB"]);
  assert.deepEqual(feed("\x1b", 15, "\r"), ["\x1b\r"], "Alt-Enter");
  assert.deepEqual(feed("\x1b[20", 60, "0~x", 60, "\x1b[201~"), [paste("x")]);
});

// field: T02
test("an Escape byte without a rest is the Escape key", (t) => {
  const { feed } = typing(t);
  assert.deepEqual(feed("\x1b", 99), []);
  assert.deepEqual(feed(1), [ESCAPE]);
  assert.deepEqual(feed("\x1b", 20, "\x1b", 100), [ESCAPE, ESCAPE], "pressed twice");
  assert.deepEqual(feed("\x1b", 20, "\x03"), [ESCAPE, "\x03"]);
  assert.deepEqual(feed("\x1b\x1b[A"), [ESCAPE, "\x1b[A"]);
});

// field: T02
test("keys after a sequence that broke off still work", (t) => {
  const { feed } = typing(t);
  assert.deepEqual(feed("\x1b[20", "\x03"), ["\x03"]);
  assert.deepEqual(feed("\x1b[1;", "漢"), ["漢"]);
  assert.deepEqual(feed("\x1b]", 100, "x"), ["\x1b]", "x"]);
});

// field: T03
test("several lines in one burst are one paste", (t) => {
  const { feed } = typing(t);
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index}\r`).join("");
  assert.deepEqual(feed(lines, 100), [paste(lines)]);
  const parts = lines.match(/[^]{1,1000}/g)!;
  assert.deepEqual(feed(...parts.flatMap((part) => [part, 20]), 100), [paste(lines)], "in several reads");
  assert.deepEqual(feed("one\ntwo", 100), [paste("one\ntwo")]);
  assert.deepEqual(feed("one\r", 20, "two\r", 20, "three\r", 100), [paste("one\rtwo\rthree\r")], "line by line");
});

// field: T03
test("a line and its Enter, or Enter and more text, are keys", (t) => {
  const { feed } = typing(t);
  assert.deepEqual(feed("hello\r", 30), ["hello\r"]);
  assert.deepEqual(feed("\r\r"), ["\r\r"]);
  assert.deepEqual(feed("\rhello"), ["\r", "hello"]);
  assert.deepEqual(feed("hello", "\r"), ["hello", "\r"]);
  assert.deepEqual(feed("hello\r\x1b[A"), ["hello\r", "\x1b[A"]);
});

// field: T05
test("the line end of a line that was typed before the program read keys is Enter", (t) => {
  const { feed, keys, received } = typing(t, { typedAhead: true });
  feed("hello\n");
  keys.ready();
  assert.deepEqual(received.splice(0), ["hello", "\r"]);
  assert.deepEqual(feed("a\nb\n", 100), [paste("a\nb\n")], "later lines count as one paste");
});

// field: T05
test("several lines typed before the program read keys are sent as one message", (t) => {
  const { feed, keys, received } = typing(t, { typedAhead: true });
  const before = feed("hello\nagain\n\x1b[?1u");
  keys.ready();
  assert.deepEqual([...before, ...received], [paste("hello\nagain"), "\r", "\x1b[?1u"]);
});

// field: T05
test("a line that was only begun before the program read keys is not sent", (t) => {
  const { feed, keys, received } = typing(t, { typedAhead: true });
  const before = feed("hel");
  keys.ready();
  assert.deepEqual([...before, ...received, ...feed("lo\r", 30)], ["hel", "lo\r"]);
});

test("disposal discards pending input", (t) => {
  const { feed, keys } = typing(t);
  feed("\x1b[200~ab");
  keys[Symbol.dispose]();
  assert.deepEqual(feed(2_000), []);
});
