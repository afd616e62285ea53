import type { App } from "../../../contract/services/app.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";

/** Extensions of voice messages. Other audio is an ordinary attachment. */
const VOICE = /\.(?:oga|ogg|opus)$/i;

/**
 * Replaces the voice messages of a message by their quoted transcripts, before its text. Rejects with the signal's
 * reason when aborted.
 * @param report Sends a notice to the chat; `nth` numbers the notices of this message.
 */
export async function withoutVoices(
  message: PlatformMessage,
  app: Pick<App, "media" | "config" | "log">,
  report: (text: string, nth: number) => Promise<void>,
  signal: AbortSignal,
): Promise<PlatformMessage> {
  const { media_urls = [], voice: spoken = [], ...rest } = message;
  const isVoice = (path: string): boolean => VOICE.test(path) || spoken.includes(path);
  const voices = media_urls.filter(isVoice);
  if (voices.length === 0 || app.config.get("stt.enabled") === false) return message;
  const words: string[] = [];
  for (const [nth, voice] of voices.entries()) {
    const received = await app.media.transcribe(voice, signal);
    signal.throwIfAborted();
    words.push(received.ok ? `"${received.text}"` : "[voice message could not be transcribed]");
    if (!received.ok) {
      app.log.warning(`Cannot transcribe a voice message: ${received.reason}`);
      await report(`⚠ Cannot transcribe your voice message: ${received.reason}`, nth);
    } else if (app.config.get("stt.echo_transcripts") !== false) await report(`🎙 "${received.text}"`, nth);
  }
  const files = media_urls.filter((path) => !isVoice(path));
  return {
    ...rest,
    text: [...words, rest.text].filter((text) => text !== "").join("\n"),
    media_urls: files.length === 0 ? undefined : files,
  };
}
