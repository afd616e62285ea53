import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolFailure, type JsonObject, type SpeechProvider } from "hermes-agent/plugin";
import { fillTemplate } from "./fill-template.ts";
import { holdValues } from "./hold-values.ts";
import { printedBy, problemOf, runAndReport } from "./run-and-report.ts";
import { numberOf, wordsOf } from "./settings.ts";

const DEFAULT_SECONDS = 120;
const DEFAULT_LONGEST = 5_000;
export const FORMATS = ["mp3", "wav", "ogg", "flac"] as const;

/** The audio format that an entry of `tts.providers` writes. */
export function formatOf(entry: JsonObject): (typeof FORMATS)[number] {
  return FORMATS.find((format) => format === entry["output_format"]) ?? "mp3";
}

/** A voice from the user's own command: an entry of `tts.providers` with `command`. */
export function commandVoice(name: string, entry: JsonObject): SpeechProvider {
  const command = wordsOf(entry["command"]);
  return {
    free: true,
    name,
    voice_compatible: entry["voice_compatible"] === true,
    async synthesize(text, output_path, { voice, model, speed, format, signal }) {
      if (command === undefined || (entry["type"] ?? "command") !== "command")
        throw new ToolFailure("unavailable", `tts.providers.${name} has no command.`, {
          hint: "Set `command: PROGRAM ... {input_path} ... {output_path}`.",
        });
      const folder = await mkdtemp(join(tmpdir(), "hermes-speech-"));
      try {
        const input_path = join(folder, "text.txt");
        await writeFile(
          input_path,
          text.slice(0, numberOf(entry["max_text_length"]) ?? DEFAULT_LONGEST).toWellFormed(),
          { mode: 0o600 },
        );
        const values = {
          input_path,
          text_path: input_path,
          output_path,
          format,
          voice: voice ?? wordsOf(entry["voice"]) ?? "",
          model: model ?? wordsOf(entry["model"]) ?? "",
          speed: String(numberOf(entry["speed"]) ?? speed ?? 1),
        };
        const filled = fillTemplate(command, values);
        await holdValues(filled, `tts.providers.${name}`);
        const ended = await runAndReport("/bin/sh", ["-c", filled.command], {
          env: filled.env,
          timeoutMs: (numberOf(entry["timeout"]) ?? DEFAULT_SECONDS) * 1000,
          signal,
        });
        if (ended.problem !== undefined)
          throw new ToolFailure("failed", `The command of tts.providers.${name} failed: ${problemOf(ended)}`, {
            from: printedBy(ended, `the command of tts.providers.${name}`),
          });
        const written = await stat(output_path).catch(() => undefined);
        if (written === undefined || written.size === 0)
          throw new ToolFailure(
            "failed",
            `The command of tts.providers.${name} succeeded but wrote nothing to {output_path}.`,
          );
        return output_path;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
