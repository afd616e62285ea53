import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeTerminal } from "hermes-agent/testing";
import type { ToolContext } from "hermes-agent/plugin";
import { soundPlace, writeRisk } from "./sound-location.ts";

const terminal = fakeTerminal({
  cwd: "/sandbox",
  files: { "/sandbox/old.mp3": "old", "/sandbox/folder.mp3/x": "" },
  run: () => ({ output: "/home/inside" }),
});

const contextWith = (elsewhere: boolean) =>
  ({
    cwd: "/home/ann/project",
    home: "/home/ann",
    agentHome: "/home/ann/.hermes",
    taskId: "t",
    signal: new AbortController().signal,
    use: async () => ({ ...terminal, elsewhere }),
  }) as unknown as ToolContext;

test("in another terminal backend writes the audio where its commands find it, including its home", async () => {
  const place = await soundPlace("new.ogg", contextWith(true), []);
  assert.deepEqual([place.path, place.format, place.elsewhere], ["/sandbox/new.ogg", "ogg", true]);
  await place.put(Buffer.from("sound"));
  assert.equal(terminal.text("/sandbox/new.ogg"), "sound");
  assert.equal((await soundPlace("~/said.opus", contextWith(true), [])).path, "/home/inside/said.opus");
});

test("does not replace a file that appeared meanwhile, and refuses a folder", async () => {
  const [first, second] = [
    await soundPlace("twice.mp3", contextWith(true), []),
    await soundPlace("twice.mp3", contextWith(true), []),
  ];
  await first.put(Buffer.from("one"));
  await assert.rejects(second.put(Buffer.from("two")), /exists already/);
  assert.equal(terminal.text("/sandbox/twice.mp3"), "one");
  await assert.rejects(soundPlace("folder.mp3", contextWith(true), []), /exists and is not a file/);
});

test("asks before writing to the agent's home, and refuses without an approval", async () => {
  const asked = writeRisk("~/.hermes/x.mp3", contextWith(false), []);
  assert.deepEqual(asked?.answer === "ask" ? asked.effects : undefined, ["write /home/ann/.hermes/x.mp3"]);
  assert.equal((await soundPlace("~/.hermes/x.mp3", contextWith(false), [])).path, "/home/ann/.hermes/x.mp3");
  assert.equal(writeRisk("/elsewhere/x.mp3", contextWith(false), ["/safe"]), undefined);
  await assert.rejects(
    soundPlace("/elsewhere/x.mp3", contextWith(false), ["/safe"]),
    /outside the directories where writing is allowed: \/safe/,
  );
});
