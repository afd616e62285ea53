import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolFailure, type JsonObject } from "hermes-agent/plugin";
import { printedBy, problemOf, runAndReport } from "../run-and-report.ts";
import { wordsOf } from "../settings.ts";
import type { Speech, Voice } from "./voice.ts";

const TIMEOUT_MS = 180_000;

/** Each reads `{ text, output, ... }` from its standard input and writes a WAV file. */
const NEUTTS = `
import json, sys
ask = json.load(sys.stdin)
from neutts import NeuTTS
import soundfile
voice = NeuTTS(backbone_repo=ask["model"], backbone_device=ask["device"], codec_repo="neuphonic/neucodec", codec_device=ask["device"])
sound = voice.infer(ask["text"], voice.encode_reference(ask["ref_audio"]), open(ask["ref_text"], encoding="utf-8").read().strip())
soundfile.write(ask["output"], sound, 24000)
`;
const KITTENTTS = `
import json, sys
ask = json.load(sys.stdin)
from kittentts import KittenTTS
import soundfile
soundfile.write(ask["output"], KittenTTS(ask["model"]).generate(ask["text"], voice=ask["voice"], speed=ask["speed"]), 24000)
`;

/** Voices from local Python packages, without a service. */
export const PROGRAMS: readonly Voice[] = [
  {
    name: "neutts",
    longest: () => 2_000,
    formats: ["wav"],
    speak(speech) {
      const { settings, model } = speech;
      const [ref_audio, ref_text] = [wordsOf(settings["ref_audio"]), wordsOf(settings["ref_text"])];
      if (ref_audio === undefined || ref_text === undefined)
        throw new ToolFailure("unavailable", "NeuTTS needs a voice recording, and none is set.", {
          hint: "Set tts.neutts.ref_audio to a WAV file and tts.neutts.ref_text to a file with its transcript.",
        });
      return bySpeaking("neutts[all] soundfile", NEUTTS, speech, {
        model: model ?? "neuphonic/neutts-air-q4-gguf",
        device: wordsOf(settings["device"]) ?? "cpu",
        ref_audio,
        ref_text,
      });
    },
  },
  {
    name: "kittentts",
    longest: () => 2_000,
    formats: ["wav"],
    speak: (speech) =>
      bySpeaking("kittentts soundfile", KITTENTTS, speech, {
        model: speech.model ?? "KittenML/kitten-tts-nano-0.8-int8",
        voice: speech.voice ?? "Jasper",
        speed: speech.speed ?? 1,
      }),
  },
];

/** @param packages Packages to install with pip, for the error message. */
async function bySpeaking(
  packages: string,
  program: string,
  { text, settings, signal }: Speech,
  ask: JsonObject,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "hermes-speech-"));
  try {
    const output = join(folder, "speech.wav");
    const ended = await runAndReport(wordsOf(settings["python"]) ?? "python3", ["-c", program], {
      input: JSON.stringify({ text, output, ...ask }),
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    if (ended.missing || (ended.problem !== undefined && /No module named/.test(ended.printed)))
      throw new ToolFailure(
        "unavailable",
        `This voice needs Python with ${packages.replace(" ", " and ")}${ended.missing ? `: ${ended.problem}` : ""}.`,
        {
          hint: `pip install ${packages
            .split(" ")
            .map((name) => `'${name}'`)
            .join(" ")}`,
        },
      );
    if (ended.problem !== undefined)
      throw new ToolFailure("failed", `The speech program failed: ${problemOf(ended)}`, {
        from: printedBy(ended, "the speech program"),
      });
    return await readFile(output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
