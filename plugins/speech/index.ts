import { defineTool, type Plugin, type Assessment, type Reach } from "hermes-agent/plugin";
import { builtInEar, EAR_NAMES } from "./built-in-transcriber.ts";
import { builtInVoice } from "./built-in-voice.ts";
import { VOICE_NAMES } from "./voice-names.ts";

/** text_to_speech, and the voices and ears that come along. */
const register: Plugin = (ctx) => {
  for (const voice of VOICE_NAMES) ctx.register_tts_provider(builtInVoice(voice, ctx));
  for (const ear of EAR_NAMES) ctx.register_transcription_provider(builtInEar(ear, ctx));
  const roots = async () => (await import("./sound-location.ts")).writeRootsOf(ctx.env("HERMES_WRITE_SAFE_ROOT"));
  ctx.tool(
    defineTool({
      name: "text_to_speech",
      toolset: "tts",
      emoji: "🔊",
      description: "Speaks a text into a file; answers with its path.",
      input: {
        type: "object",
        properties: { text: { type: "string" }, output_path: { type: "string" } },
        required: ["text"],
      },
      effect: "network",
      refusal: { success: false },
      // A voice sends what is said to somebody, so it is there when a person chose one, or its toolset.
      available: ({ config, surface }) =>
        chosen(config("tts.provider")) || named(config(`platform_toolsets.${surface}`))
          ? { ok: true }
          : {
              ok: false,
              reason:
                "No voice is chosen: `hermes config set tts.provider edge` needs no key, `hermes setup tts` shows all.",
            },
      async assess({ text, output_path }, call) {
        const { config } = call;
        // Text that this machine speaks leaves it for no service.
        const egress: readonly Reach[] = isLocal(config("tts.provider"), config("tts.providers"))
          ? []
          : [{ kind: "send", what: `a voice (${config("tts.provider") || "edge"}): "${text.slice(0, 200)}"` }];
        // The result is the name of a file of ours.
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

function chosen(setting: unknown): setting is string {
  return typeof setting === "string" && setting !== "";
}

/** The programs among the voices, and a person's own commands. */
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
