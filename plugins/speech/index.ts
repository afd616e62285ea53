import { defineTool, type Plugin, type Assessment, type Egress } from "hermes-agent/plugin";
import { builtInEar, EAR_NAMES } from "./built-in-transcriber.ts";
import { builtInVoice } from "./built-in-voice.ts";
import { VOICE_NAMES } from "./voice-names.ts";

/** text_to_speech, and the built-in voices and transcribers. */
const register: Plugin = (ctx) => {
  for (const voice of VOICE_NAMES) ctx.register_tts_provider(builtInVoice(voice, ctx));
  for (const ear of EAR_NAMES) ctx.register_transcription_provider(builtInEar(ear, ctx));
  const roots = async () => (await import("./sound-location.ts")).writeRootsOf(ctx.env("HERMES_WRITE_SAFE_ROOT"));
  ctx.tool(
    defineTool({
      name: "text_to_speech",
      toolset: "tts",
      emoji: "🔊",
      description: "Convert text to speech in a file; returns its path.",
      input: {
        type: "object",
        properties: { text: { type: "string" }, output_path: { type: "string" } },
        required: ["text"],
      },
      effect: "network",
      refusal: { success: false },
      // Most users choose neither, and then no start loads this code.
      needsOneOf: ["setting:tts.provider", "setting:platform_toolsets"],
      needsHint: NO_VOICE,
      // A voice may send the text to a service, so the tool is offered only if the user chose a voice or the toolset.
      available: ({ config, surface }) =>
        chosen(config("tts.provider")) || named(config(`platform_toolsets.${surface}`))
          ? { ok: true }
          : { ok: false, reason: NO_VOICE },
      async assess({ text, output_path }, call) {
        const { config } = call;
        // A local voice sends nothing.
        const egress: readonly Egress[] = isLocal(config("tts.provider"), config("tts.providers"))
          ? []
          : [{ kind: "send", what: `a voice (${config("tts.provider") || "edge"}): "${text.slice(0, 200)}"` }];
        // The result contains only our own file name.
        const assessment: Assessment = { egress, untrusted: false, touches: [] };
        if (output_path === undefined) return assessment;
        const { writeRisk } = await import("./sound-location.ts");
        return { ...assessment, touches: [output_path], risk: writeRisk(output_path, call, await roots()) };
      },
      async execute({ text, output_path }, call) {
        const { speak } = await import("./speak.ts");
        return speak(text, output_path, call, await roots());
      },
    }),
  );
};

const NO_VOICE =
  "No voice is chosen. Run `hermes config set tts.provider edge` (needs no key), or `hermes setup tts` to see all.";

function chosen(setting: unknown): setting is string {
  return typeof setting === "string" && setting !== "";
}

/** Whether a voice runs locally: a program, or the user's own command. */
function isLocal(name: unknown, commands: unknown): boolean {
  if (!chosen(name)) return false;
  return (
    name === "neutts" ||
    name === "kittentts" ||
    (!VOICE_NAMES.some((voice) => voice.name === name) &&
      typeof commands === "object" &&
      commands !== null &&
      Object.hasOwn(commands, name))
  );
}

function named(toolsets: unknown): boolean {
  return Array.isArray(toolsets) && toolsets.some((name) => name === "tts" || name === "text_to_speech");
}

export default register;
