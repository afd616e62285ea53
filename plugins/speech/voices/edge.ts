import { createHash, randomBytes, randomUUID } from "node:crypto";
import { ToolFailure, type GuardedSocket, type OpenSocket } from "hermes-agent/plugin";
import { wordsOf } from "../settings.ts";
import type { Speech, Voice } from "./voice.ts";

const ADDRESS = "wss://speech.platform.bing.com/consumer/speech/synthesize/readaloud/edge/v1";
/** Token of every copy of the browser; not a secret. */
const TOKEN = "6A5AA1D4EAFF4E9FB37E23D68491D6F4";
const BROWSER = "143.0.3650.75";
const FORMAT = "audio-24khz-48kbitrate-mono-mp3";
const DEFAULT_VOICE = "en-US-AriaNeural";
/** Maximum bytes of one request, including markup. */
const PIECE_BYTES = 4_000;
const PIECE_MS = 60_000;
const MAX_BYTES = 60_000_000;
const MAX_FRAMES = 100_000;

/** The voices of Microsoft Edge's read-aloud: no key, one connection for each piece of text. */
export const EDGE: Voice = {
  name: "edge",
  longest: () => 5_000,
  formats: ["mp3"],
  async speak(speech) {
    const sounds: Uint8Array[] = [];
    for (const piece of piecesOf(speech.text)) sounds.push(await sayPiece(piece, speech));
    return Buffer.concat(sounds);
  },
};

/** Splits a text for several requests, at line ends or spaces. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const word of text.split(/(?<=\s)/).flatMap((one) => one.match(/.{1,1000}/gsu) ?? [])) {
    if (piece !== "" && Buffer.byteLength(marked(piece + word)) > PIECE_BYTES) {
      pieces.push(piece);
      piece = "";
    }
    piece += word;
  }
  return [...pieces, piece].filter((one) => one.trim() !== "");
}

async function sayPiece(
  text: string,
  { voice = DEFAULT_VOICE, speed, settings, socket: open, signal, text: whole }: Speech,
): Promise<Uint8Array> {
  if (!/^[\w-]{2,100}$/.test(voice))
    throw new ToolFailure("bad_arguments", `"${voice}" is not the name of an Edge voice.`, {
      hint: `Use a name like ${DEFAULT_VOICE}.`,
    });
  const url = `${wordsOf(settings["base_url"]) ?? ADDRESS}?TrustedClientToken=${TOKEN}&ConnectionId=${plainId()}&Sec-MS-GEC=${pass(Date.now())}&Sec-MS-GEC-Version=1-${BROWSER}`;
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(failed(`it timed out after ${PIECE_MS / 1000} s.`)), PIECE_MS);
  try {
    using socket = await connected(url, whole, open, AbortSignal.any([signal, stop.signal]));
    socket.send(
      message(
        "speech.config",
        "application/json; charset=utf-8",
        JSON.stringify({
          context: {
            synthesis: {
              audio: {
                metadataoptions: { sentenceBoundaryEnabled: "false", wordBoundaryEnabled: "false" },
                outputFormat: FORMAT,
              },
            },
          },
        }),
      ),
    );
    socket.send(message("ssml", "application/ssml+xml", ssmlOf(text, voice, speed)));
    return await received(socket, voice);
  } catch (cause) {
    throw cause instanceof ToolFailure && cause.code === "unreachable"
      ? failed(`the connection closed before the end of the speech: ${cause.message}`, cause)
      : cause;
  } finally {
    clearTimeout(late);
  }
}

async function connected(url: string, sending: string, open: OpenSocket, signal: AbortSignal): Promise<GuardedSocket> {
  try {
    return await open(url, { headers: HEADERS(), sending, signal, maxMessageBytes: MAX_BYTES });
  } catch (cause) {
    if (!(cause instanceof ToolFailure) || cause.code !== "unreachable") throw cause;
    throw failed(
      `no connection: ${cause.message} Check the network and the system clock, or choose another voice in tts.provider.`,
      cause,
    );
  }
}

/** Collects all audio until the end message. */
async function received(socket: GuardedSocket, voice: string): Promise<Uint8Array> {
  const sounds: Uint8Array[] = [];
  let bytes = 0;
  let frames = 0;
  for await (const one of socket.messages) {
    if (++frames > MAX_FRAMES) throw failed("it sent too much data.");
    if (typeof one === "string") {
      if (!/^Path:\s*turn\.end/im.test(one)) continue;
      if (bytes === 0)
        throw new ToolFailure(
          "failed",
          `Edge sent no audio: the voice "${voice}" may not exist, or the text has nothing to speak.`,
        );
      return Buffer.concat(sounds);
    }
    const sound = soundOf(Buffer.from(one.buffer, one.byteOffset, one.byteLength));
    if (sound === undefined) throw failed("it sent something that is not audio.");
    sounds.push(sound);
    if ((bytes += sound.length) > MAX_BYTES) throw failed("it sent too much data.");
  }
  throw failed("the connection closed before the end of the speech.");
}

function failed(why: string, cause?: unknown): ToolFailure {
  return new ToolFailure("failed", `Edge's voice failed: ${why}`, { cause });
}

/**
 * The audio in a frame: two bytes with the header length, the header, then data whose type the header names. The empty
 * last frame has no type.
 */
function soundOf(frame: Buffer): Uint8Array | undefined {
  if (frame.length < 2) return undefined;
  const head = frame.subarray(2, 2 + frame.readUInt16BE(0)).toString("latin1");
  return /^Path:\s*audio\s*$/im.test(head) ? frame.subarray(2 + frame.readUInt16BE(0)) : undefined;
}

function message(path: string, type: string, body: string): string {
  return `X-RequestId:${plainId()}\r\nContent-Type:${type}\r\nX-Timestamp:${new Date().toString().replace(/ \(.*/, "")}\r\nPath:${path}\r\n\r\n${body}`;
}

function ssmlOf(text: string, voice: string, speed = 1): string {
  const percent = Math.round((Math.min(3, Math.max(0.3, speed)) - 1) * 100);
  return `<speak version='1.0' xmlns='http://www.w3.org/2001/10/synthesis' xml:lang='en-US'><voice name='${voice}'><prosody pitch='+0Hz' rate='${percent < 0 ? "" : "+"}${percent}%' volume='+0%'>${marked(text)}</prosody></voice></speak>`;
}

function marked(text: string): string {
  // oxlint-disable-next-line no-control-regex -- XML has no place for them
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

/** A hash of the time since 1601 (in 100 ns) and the token; valid for five minutes. */
function pass(now: number): string {
  const seconds = Math.floor(now / 1000) + 11_644_473_600;
  return createHash("sha256")
    .update(`${BigInt(seconds - (seconds % 300)) * 10_000_000n}${TOKEN}`)
    .digest("hex")
    .toUpperCase();
}

function plainId(): string {
  return randomUUID().replaceAll("-", "");
}

const HEADERS = () => ({
  pragma: "no-cache",
  "cache-control": "no-cache",
  origin: "chrome-extension://jdiccldimpdaibmpdkjnbmckianbfold",
  "user-agent": `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${BROWSER.split(".")[0]}.0.0.0 Safari/537.36 Edg/${BROWSER.split(".")[0]}.0.0.0`,
  "accept-language": "en-US,en;q=0.9",
  cookie: `muid=${randomBytes(16).toString("hex").toUpperCase()};`,
});
