import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolFailure } from "hermes-agent/plugin";
import { fillTemplate } from "../fill-template.ts";
import { holdValues } from "../hold-values.ts";
import { problemOf, runAndReport } from "../run-and-report.ts";
import { wordsOf } from "../settings.ts";
import type { Received } from "./transcriber.ts";

const TIMEOUT_MS = 300_000;
const WHISPER = `
import json, sys
ask = json.load(sys.stdin)
from faster_whisper import WhisperModel
pieces, _ = WhisperModel(ask["model"]).transcribe(ask["file"], language=ask["language"])
print(json.dumps({"text": " ".join(piece.text.strip() for piece in pieces)}))
`;

const pythonOf = ({ settings }: Pick<Received, "settings">): string => wordsOf(settings["python"]) ?? "python3";

/** Whether Python has the package, without loading it. */
export async function hasWhisper(received: Pick<Received, "settings" | "signal">): Promise<boolean> {
  const { problem } = await runAndReport(
    pythonOf(received),
    ["-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('faster_whisper') is None)"],
    { timeoutMs: 20_000, signal: received.signal },
  );
  return problem === undefined;
}

/** faster-whisper, on this machine. */
export async function byWhisper(received: Received): Promise<string> {
  const ended = await runAndReport(pythonOf(received), ["-c", WHISPER], {
    input: JSON.stringify({
      file: received.file,
      model: received.model ?? "base",
      language: received.language ?? null,
    }),
    timeoutMs: TIMEOUT_MS,
    signal: received.signal,
  });
  if (ended.problem !== undefined)
    throw new ToolFailure("failed", `faster-whisper failed: ${problemOf(ended)}`, {
      hint: "pip install faster-whisper",
    });
  try {
    return String((JSON.parse(ended.out.trim().split("\n").at(-1) ?? "") as { readonly text: unknown }).text);
  } catch (cause) {
    throw new ToolFailure("failed", "faster-whisper printed invalid output.", { cause });
  }
}

/** Runs the command of `HERMES_LOCAL_STT_COMMAND`, which writes the transcript as a `.txt` into `{output_dir}`. */
export async function byCommand(received: Received): Promise<string> {
  const { file, model, language, env, signal } = received;
  const template = env("HERMES_LOCAL_STT_COMMAND");
  if (template === undefined || template === "")
    throw new ToolFailure("unavailable", "HERMES_LOCAL_STT_COMMAND is not set.");
  const output_dir = await mkdtemp(join(tmpdir(), "hermes-speech-"));
  try {
    const values = {
      input_path: file,
      output_dir,
      language: language ?? env("HERMES_LOCAL_STT_LANGUAGE") ?? "en",
      model: model ?? "base",
    };
    const filled = fillTemplate(template, values);
    await holdValues(filled, "HERMES_LOCAL_STT_COMMAND");
    const ended = await runAndReport("/bin/sh", ["-c", filled.command], {
      env: filled.env,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    if (ended.problem !== undefined)
      throw new ToolFailure("failed", `HERMES_LOCAL_STT_COMMAND failed: ${problemOf(ended)}`);
    const name = (await readdir(output_dir)).filter((one) => one.endsWith(".txt")).sort()[0];
    if (name === undefined)
      throw new ToolFailure("failed", "HERMES_LOCAL_STT_COMMAND succeeded but wrote no .txt into {output_dir}.");
    return await readFile(join(output_dir, name), "utf8");
  } finally {
    await rm(output_dir, { recursive: true, force: true });
  }
}
