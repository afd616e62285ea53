import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentEvent, Fact, Live } from "../../../contract/conversation/fact.ts";
import { displayOf } from "../../shared/display/display.ts";
import type { Io } from "../../shared/process/io.ts";
import { eventPrinter } from "./print-events.ts";

/** The output on each stream of a run whose stdout is a pipe. */
function piped(options: { readonly quiet: boolean }) {
  const seen = { out: "", notes: "" };
  const io: Io = {
    out: (text) => void (seen.out += text),
    note: (text) => void (seen.notes += text),
    takeBack: () => undefined,
    draw: () => undefined,
    tint: () => undefined,
    ring: () => undefined,
    outIsTerminal: false,
    moving: false,
    interactive: false,
    columns: 80,
    rows: 24,
    style: (_, text) => text,
    paint: (_, __, text) => text,
    styleOut: (_, text) => text,
    signal: new AbortController().signal,
  };
  const printer = eventPrinter(io, () => undefined, {
    quiet: options.quiet,
    display: () => displayOf({ get: () => undefined, explain: () => ({ source: "default" }) } as never, "cli"),
  });
  const fact = (what: object) =>
    printer.listener({
      kind: "fact",
      sessionId: "s",
      recorded: { seq: 1, at: 0, v: 1, fact: what as Fact },
    } as AgentEvent);
  return { seen, printer, fact, live: (live: Live) => printer.listener({ kind: "live", sessionId: "s", live }) };
}

test("a repeated answer starts on a new line, whether the failure or the wait comes first", async () => {
  for (const failureFirst of [true, false]) {
    const { seen, printer, fact, live } = piped({ quiet: false });
    const failed = () =>
      fact({
        type: "model.failed",
        turnId: "t",
        requestId: "r",
        failure: { code: "network", message: "cut", retryable: true },
      });
    live({ type: "text.delta", text: "Hello th" });
    if (failureFirst) failed();
    live({ type: "model.waiting", text: "asked again" } as Live);
    if (!failureFirst) failed();
    live({ type: "text.delta", text: "Hello there" });
    fact({
      type: "model.answered",
      turnId: "t",
      requestId: "r2",
      parts: [{ type: "text", text: "Hello there" }],
      finish: "stop",
    });
    await printer.end();
    assert.deepEqual(seen, { out: "Hello th\nHello there\n", notes: "… asked again\n" });
  }
});

test("continues an answer that the output limit cut within a word, and prints text before a call once", async () => {
  const { seen, printer, fact, live } = piped({ quiet: false });
  const answered = (text: string, finish: string) =>
    fact({
      type: "model.answered",
      turnId: "t",
      requestId: "r",
      parts: text === "" ? [] : [{ type: "text", text }],
      finish,
    });
  live({ type: "text.delta", text: "An exam" });
  answered("An exam", "length");
  live({ type: "text.delta", text: "ple.\n" });
  // The call at the end is not printed as text, and neither are the blanks before it.
  answered("ple.", "tool-calls");
  live({ type: "text.delta", text: "Done." });
  answered("Done.", "stop");
  await printer.end();
  assert.equal(seen.out, "An example.\nDone.\n");
});
