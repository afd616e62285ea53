import type { App } from "../../../contract/services/app.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";

/** What chats call a voice message. Other sound is a file that somebody sends along. */
const VOICE = /\.(?:oga|ogg|opus)$/i;

/** A message with what was said in place of its voice messages, in quotes before its words. Rejects with the reason of the signal once that is over. @param tell Says something in the chat; `nth` tells what is said of this message apart. */
export async function withoutVoices(
  message: PlatformMessage,
  app: Pick<App, "media" | "config" | "log">,
  report: (text: string, nth: number) => Promise<void>,
  signal: AbortSignal,
): Promise<PlatformMessage> {
  const { media_urls = [], ...rest } = message;
  const voices = media_urls.filter((path) => VOICE.test(path));
  if (voices.length === 0 || app.config.get("stt.enabled") === false) return message;
  const words: string[] = [];
  for (const [nth, voice] of voices.entries()) {
    const received = await app.media.transcribe(voice, signal);
    signal.throwIfAborted();
    words.push(received.ok ? `"${received.text}"` : "[voice message could not be transcribed]");
    if (!received.ok) {
      app.log.warning(`A voice message could not be transcribed: ${received.reason}`);
      await report(`⚠ I could not understand your voice message: ${received.reason}`, nth);
    } else if (app.config.get("stt.echo_transcripts") !== false) await report(`🎙 "${received.text}"`, nth);
  }
  const files = media_urls.filter((path) => !VOICE.test(path));
  return {
    ...rest,
    text: [...words, rest.text].filter((text) => text !== "").join("\n"),
    media_urls: files.length === 0 ? undefined : files,
  };
}
