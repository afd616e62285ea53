import { writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { ToolFailure, objectOf, type PluginContext, type SpeechProvider } from "hermes-agent/plugin";
import { numberOf, wordsOf } from "./settings.ts";
import type { VOICE_NAMES } from "./voice-names.ts";

/** A built-in voice as a provider of the slot `tts`. Its code loads on first use. */
export function builtInVoice(
  { name, label, keys, url }: (typeof VOICE_NAMES)[number],
  ctx: Pick<PluginContext, "env" | "setting" | "fetch" | "socket" | "signal">,
): SpeechProvider {
  const keyOf = (): string | undefined =>
    keys.map((key) => ctx.env(key)).find((value) => value !== undefined && value !== "");
  return {
    name,
    display_name: label,
    free: keys.length === 0,
    voice_compatible: true,
    is_available: () => keys.length === 0 || keyOf() !== undefined,
    get_setup_schema: () => ({
      name: label,
      env_vars: keys.slice(0, 1).map((key) => ({ key, prompt: `${label} API key`, url })),
    }),
    async synthesize(text, output_path, { voice, model, speed, format, signal }) {
      const { VOICES } = await import("./voices/all-voices.ts");
      const own = VOICES.get(name)!;
      const settings = objectOf(ctx.setting(`tts.${name}`));
      const key = keyOf();
      if (keys.length > 0 && key === undefined)
        throw new ToolFailure("unavailable", `The voice "${name}" needs ${keys.join(" or ")}.`, {
          hint: "Set it with `hermes setup tts`, or choose another voice in tts.provider.",
        });
      const wanted = own.formats.find((one) => one === (format === "opus" ? "ogg" : format)) ?? own.formats[0]!;
      const chosen = model ?? wordsOf(settings["model"]) ?? wordsOf(settings["model_id"]);
      const longest = numberOf(settings["max_text_length"]) ?? own.longest(chosen);
      const sound = await own.speak({
        text: text.slice(0, longest).toWellFormed(),
        voice: voice ?? wordsOf(settings["voice"]) ?? wordsOf(settings["voice_id"]),
        model: chosen,
        speed: numberOf(settings["speed"]) ?? speed ?? numberOf(ctx.setting("tts.speed")),
        format: wanted,
        settings,
        key: key ?? "",
        fetch: (url, options) => ctx.fetch(url, { configured: `tts.${name}.base_url`, ...options }),
        socket: ctx.socket,
        signal: signal === undefined ? ctx.signal : AbortSignal.any([signal, ctx.signal]),
      });
      // If the voice does not support the requested format, use its own extension.
      const path =
        extname(output_path) === `.${wanted}` || (wanted === "ogg" && extname(output_path) === ".opus")
          ? output_path
          : `${output_path.slice(0, output_path.length - extname(output_path).length)}.${wanted}`;
      await writeFile(path, sound, { mode: 0o600 });
      return path;
    },
  };
}
