import assert from "node:assert/strict";
import { test } from "node:test";
import type { Recorded } from "../../../contract/conversation/fact.ts";
import type { OutgoingFiles } from "../../../contract/conversation/outgoing-file.ts";
import { answerFiles } from "./answer-files.ts";

function world(refuse: readonly string[] = []) {
  const asked: unknown[] = [];
  const files: Pick<OutgoingFiles, "take"> = {
    async take(path, from) {
      asked.push([path, from]);
      return refuse.includes(path)
        ? { ok: false, reason: "it is protected" }
        : {
            ok: true,
            file: { kind: "document", name: path.slice(path.lastIndexOf("/") + 1), path: `/copy${path}`, source: path },
          };
    },
  };
  return {
    asked,
    answer: (text: string, facts: readonly Recorded[] = []) =>
      answerFiles(text, { facts, turnId: "t2", cwd: "/work", files: files as OutgoingFiles }),
  };
}

function made(turnId: string, result: object): readonly Recorded[] {
  const callId = `${turnId} ${JSON.stringify(result)}`;
  return [
    {
      type: "tool.called" as const,
      turnId,
      callId,
      tool: "any",
      by: "model" as const,
      effect: "write" as const,
      repeatable: false,
    },
    {
      type: "tool.settled" as const,
      callId,
      outcome: { kind: "ok" as const, shown: [{ type: "text" as const, text: JSON.stringify(result) }] },
      durationMs: 1,
    },
  ].map((fact, at) => ({ seq: at + 1, at: 0, v: 1 as const, fact }));
}

test("sends each file that the text names or the turn made once; a file of an earlier turn only if the text names it", async () => {
  const { asked, answer } = world();
  const facts = [
    ...made("t1", { image: "/old.png" }),
    ...made("t2", { image: "/new.png" }),
    ...made("t2", { media_tag: "[[audio_as_voice]]\nMEDIA:/voice.ogg" }),
  ];
  const { text, files } = await answer("Here it is.\nMEDIA:/new.png\nMEDIA:/work/plan.pdf", facts);
  assert.equal(text, "Here it is.");
  assert.deepEqual(
    files.map(({ source }) => source),
    ["/new.png", "/work/plan.pdf", "/voice.ogg"],
  );
  const from = { cwd: "/work", made: ["/old.png", "/new.png", "/voice.ogg"], asDocument: false };
  assert.deepEqual(asked, [
    ["/new.png", { ...from, voice: false }],
    ["/work/plan.pdf", { ...from, voice: false }],
    ["/voice.ogg", { ...from, voice: true }],
  ]);
});

test("names the files that may not be sent below the text, and sends the others", async () => {
  const { answer } = world(["/etc/shadow.txt"]);
  const { text, files } = await answer("Both:\nMEDIA:/etc/shadow.txt\nMEDIA:/work/a.txt");
  assert.equal(text, "Both:\n\n⚠ Cannot send /etc/shadow.txt: it is protected.");
  assert.deepEqual(
    files.map(({ name }) => name),
    ["a.txt"],
  );
});

test("sends the first ten files and reports how many there are", async () => {
  const { answer, asked } = world();
  const { text, files } = await answer(Array.from({ length: 12 }, (_, at) => `MEDIA:/work/${at}.txt`).join("\n"));
  assert.deepEqual([text, files.length, asked.length], ["⚠ Sending only the first 10 of 12 files.", 10, 10]);
});
