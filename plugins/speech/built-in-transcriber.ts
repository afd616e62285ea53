import { stat } from "node:fs/promises";
import { ToolFailure, objectOf, type PluginContext, type TranscriptionProvider } from "hermes-agent/plugin";
import type { Ear } from "./transcribers/transcriber.ts";
import { wordsOf } from "./settings.ts";

/** Transcribers for setup and listings, in the order in which they are tried by default. */
export const EAR_NAMES: readonly {
  readonly name: string;
  readonly label: string;
  readonly keys: readonly string[];
  readonly url?: string;
}[] = [
  { name: "local", label: "faster-whisper, on this machine (a Python package)", keys: [] },
  { name: "local_command", label: "The command in HERMES_LOCAL_STT_COMMAND", keys: ["HERMES_LOCAL_STT_COMMAND"] },
  { name: "groq", label: "Groq", keys: ["GROQ_API_KEY"], url: "https://console.groq.com/keys" },
  {
    name: "openai",
    label: "OpenAI",
    keys: ["VOICE_TOOLS_OPENAI_KEY", "OPENAI_API_KEY"],
    url: "https://platform.openai.com/api-keys",
  },
  { name: "mistral", label: "Mistral", keys: ["MISTRAL_API_KEY"], url: "https://console.mistral.ai" },
  { name: "xai", label: "xAI", keys: ["XAI_API_KEY"], url: "https://console.x.ai" },
];

const MAX_BYTES = 25_000_000;

/** A built-in transcriber as a provider of the slot `stt`. */
export function builtInEar(
  { name, label, keys, url }: (typeof EAR_NAMES)[number],
  ctx: Pick<PluginContext, "env" | "setting" | "fetch" | "signal">,
): TranscriptionProvider {
  const settings = () => objectOf(ctx.setting(`stt.${name}`));
  return {
    name,
    display_name: label,
    free: name === "local" || name === "local_command",
    is_available: async () =>
      name === "local"
        ? (await import("./transcribers/local.ts")).hasWhisper({ settings: settings(), signal: ctx.signal })
        : keys.some((key) => (ctx.env(key) ?? "") !== ""),
    get_setup_schema: () => ({
      name: label,
      env_vars: keys.slice(0, 1).map((key) => ({
        key,
        prompt: key.endsWith("_KEY") ? `${label} API key` : "Command",
        url,
      })),
    }),
    async transcribe(file, { model, language, signal }) {
      try {
        const { size } = await stat(file);
        if (size > MAX_BYTES)
          throw new ToolFailure(
            "bad_arguments",
            `it is ${Math.ceil(size / 1_000_000)} MB; the maximum is ${MAX_BYTES / 1_000_000} MB.`,
          );
        const own = settings();
        const ear = await earOf(name);
        const text = (
          await ear({
            file,
            settings: own,
            env: (one) => ctx.env(one),
            fetch: ctx.fetch,
            signal: signal === undefined ? ctx.signal : AbortSignal.any([signal, ctx.signal]),
            model: model ?? wordsOf(own["model"]),
            language: language ?? wordsOf(own["language"]) ?? wordsOf(ctx.setting("stt.language")),
          })
        ).trim();
        return text === ""
          ? { success: false, transcript: "", provider: name, error: "the transcript is empty." }
          : { success: true, transcript: text, provider: name };
      } catch (cause) {
        return { success: false, transcript: "", provider: name, error: (cause as Error).message };
      }
    },
  };
}

async function earOf(name: string): Promise<Ear> {
  if (name === "local" || name === "local_command") {
    const { byCommand, byWhisper } = await import("./transcribers/local.ts");
    return name === "local" ? byWhisper : byCommand;
  }
  return (await import("./transcribers/services.ts")).SERVICES[name]!;
}
