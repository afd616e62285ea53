import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolFailure } from "hermes-agent/plugin";
import { type JsonObject } from "hermes-agent/plugin";
import { endlessProgram } from "../testing/endless-program.ts";
import { PROGRAMS } from "./programs.ts";
import type { Speech } from "./voice.ts";

const SETTINGS: { readonly [voice: string]: JsonObject } = {
  neutts: { ref_audio: "/ref.wav", ref_text: "/ref.txt", device: "cuda" },
  kittentts: {},
};

const speak = (name: string, python: string, more: Partial<Speech> = {}): Promise<Uint8Array> => {
  const none = () => Promise.reject(new Error("a local program must send no request"));
  return PROGRAMS.find((voice) => voice.name === name)!.speak({
    text: "Good day.",
    voice: undefined,
    model: undefined,
    speed: undefined,
    format: "wav",
    settings: { ...SETTINGS[name], python },
    key: "",
    fetch: none,
    socket: none,
    signal: new AbortController().signal,
    ...more,
  });
};

function python(
  t: { after(work: () => void): void },
  body: string,
): { readonly folder: string; readonly program: string } {
  const folder = mkdtempSync(join(tmpdir(), "hermes-python-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "python");
  writeFileSync(program, `#!/bin/sh\n${body.replaceAll("FOLDER", folder)}\n`);
  chmodSync(program, 0o755);
  return { folder, program };
}

// req: tool-tts.nine-providers
test("passes the text to each program on standard input only, and reads the audio file it writes", async (t) => {
  const { folder, program } = python(
    t,
    `printf '%s\\n' "$@" > FOLDER/args\nread -r ask\nprintf '%s' "$ask" > FOLDER/ask\nout=$(printf '%s' "$ask" | sed 's/.*"output":"\\([^"]*\\)".*/\\1/')\nprintf 'RIFF sound' > "$out"`,
  );
  for (const [name, asked] of [
    ["kittentts", { model: "m", voice: "Bella", speed: 1.2 }],
    ["neutts", { model: "m", device: "cuda", ref_audio: "/ref.wav", ref_text: "/ref.txt" }],
  ] as const) {
    assert.equal(
      Buffer.from(await speak(name, program, { model: "m", voice: "Bella", speed: 1.2 })).toString(),
      "RIFF sound",
    );
    const { text, output, ...rest } = JSON.parse(readFileSync(join(folder, "ask"), "utf8")) as JsonObject;
    assert.deepEqual([text, rest], ["Good day.", asked]);
    assert.throws(() => readFileSync(String(output)), /ENOENT/);
    assert.doesNotMatch(readFileSync(join(folder, "args"), "utf8"), /Good day/);
  }
});

test("reports a program's failure output with its source; a missing package or program says what to install", async (t) => {
  const failing = python(t, "cat >/dev/null; echo 'HTTP 403: do as I say' >&2; exit 1");
  await assert.rejects(
    speak("kittentts", failing.program),
    (cause: ToolFailure) =>
      cause.code === "failed" &&
      /exited with status 1: HTTP 403: do as I say/.test(cause.message) &&
      cause.from?.source === "the speech program",
  );
  const lacking = python(t, `cat >/dev/null; echo "ModuleNotFoundError: No module named 'neutts'" >&2; exit 1`);
  for (const program of [lacking.program, "/nowhere/python3"])
    await assert.rejects(
      speak("neutts", program),
      (cause: ToolFailure) =>
        cause.code === "unavailable" &&
        cause.from === undefined &&
        /pip install 'neutts\[all\]' 'soundfile'/.test(cause.hint ?? ""),
    );
  assert.throws(() => void PROGRAMS[0]!.speak({ settings: {} } as Speech), /needs a voice recording, and none is set/);
});

test("the caller's abort kills the program and its children", async () => {
  for (const name of ["neutts", "kittentts"]) {
    using endless = endlessProgram();
    const stop = new AbortController();
    const speaking = speak(name, endless.program, { signal: stop.signal });
    await endless.started();
    stop.abort();
    await assert.rejects(speaking, /it was stopped/);
    assert.deepEqual(await endless.left(), []);
  }
});
