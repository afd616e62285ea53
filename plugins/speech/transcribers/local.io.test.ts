import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInEar, EAR_NAMES } from "../built-in-transcriber.ts";
import { commandVoice } from "../command-voice.ts";
import { endlessProgram } from "../testing/endless-program.ts";

const never = new AbortController().signal;

// req: media.stt-six, media.stt-command
test("a signal ends whisper and the user's own command with all their children, and the error says so", async () => {
  for (const name of ["local", "local_command"]) {
    using endless = endlessProgram();
    const ear = builtInEar(
      EAR_NAMES.find((one) => one.name === name)!,
      {
        env: (variable) =>
          variable === "HERMES_LOCAL_STT_COMMAND" ? `${endless.program} {input_path} {output_dir}` : undefined,
        setting: (path) => (path === "stt.local" ? { python: endless.program } : undefined),
        fetch: () => Promise.reject(new Error("a local transcriber must send no request")),
        signal: never,
      },
    );
    assert.equal(await ear.is_available!(), true);
    const stop = new AbortController();
    const subscribed = ear.transcribe(endless.program, { signal: stop.signal });
    await endless.started();
    stop.abort();
    const { success, error } = await subscribed;
    assert.deepEqual([success, /it was stopped/.test(String(error))], [false, true], String(error));
    assert.deepEqual(await endless.left(), []);
  }
});

// req: media.tts-command
test("an abort kills a speech command with its children; unloading the plugin kills a transcriber", async () => {
  using endless = endlessProgram();
  const stop = new AbortController();
  const speaking = commandVoice("mine", { command: `${endless.program} {input_path} {output_path}` }).synthesize(
    "Good day.",
    `${endless.folder}/out.mp3`,
    { format: "mp3", signal: stop.signal },
  );
  await endless.started();
  stop.abort();
  await assert.rejects(Promise.resolve(speaking), /it was stopped/);
  assert.deepEqual(await endless.left(), []);
  using other = endlessProgram();
  const unloaded = new AbortController();
  const ear = builtInEar(
    EAR_NAMES.find(({ name }) => name === "local")!,
    {
      env: () => undefined,
      setting: () => ({ python: other.program }),
      fetch: () => Promise.reject(new Error("a local transcriber must send no request")),
      signal: unloaded.signal,
    },
  );
  const subscribed = ear.transcribe(other.program, {});
  await other.started();
  unloaded.abort();
  assert.equal((await subscribed)["success"], false);
  assert.deepEqual(await other.left(), []);
});

// req: media.stt-placeholders
test("does not run a command whose placeholder would become code", async () => {
  const ear = builtInEar(
    EAR_NAMES.find(({ name }) => name === "local_command")!,
    {
      env: (name) =>
        name === "HERMES_LOCAL_STT_COMMAND" ? `sh -c "hear {input_path} > {output_dir}/x.txt"` : undefined,
      setting: () => undefined,
      fetch: () => Promise.reject(new Error("a local transcriber must send no request")),
      signal: never,
    },
  );
  assert.match(
    String((await ear.transcribe(import.meta.filename, {}))["error"]),
    /Refused the command of HERMES_LOCAL_STT_COMMAND: \{input_path\} is inside a script that another shell/,
  );
  await assert.rejects(
    Promise.resolve(
      commandVoice("mine", { command: `sh -c "say {voice} <{input_path}"` }).synthesize("x", "/tmp/x.mp3", {
        format: "mp3",
      }),
    ),
    /Refused the command of tts\.providers\.mine: \{/,
  );
});
