import { setTimeout as wait } from "node:timers/promises";
import type { Channel } from "../shell/channel.ts";
import { FRAME } from "./carrier-script.ts";
import { bytesWord } from "../shell/backend-script.ts";

/** More often than a carrier's patience needs. */
const SIGN_OF_LIFE_MS = 15_000;
const PIECE = 45_000;
/** Shorter input is spelled out, which costs the place no process. */
const SPELLED = 2_000;
/** Pauses after which the end is sent again. */
const SAY_AGAIN_MS = [300, 700, 2_000, 5_000];
/** Largest size of the lines sent in one request. */
const BATCH = 60_000;

/** The way to a carrier (`carrierScript`) in a place that is reached by requests. */
export interface Carriage {
  /** Hands lines to the carrier, after all before. Rejects when the place, or the way to it, is gone. */
  send(lines: string): Promise<void>;
  /** Output of the carrier, as it arrives. Ends or rejects when the environment, or the connection to it, is lost. */
  readonly output: AsyncIterable<string>;
  readonly errors: AsyncIterable<string>;
  /** Lets go of everything; called once. */
  close(): void;
}

/** The channel of a shell behind a carrier. @param name The place, for people. */
export function carriedChannel(carriage: Carriage, name: string): Channel {
  const gone = Promise.withResolvers<string>();
  let over = false;
  const end = (words: string, alone = false) => {
    if (over) return;
    over = true;
    waiting.length = 0;
    clearInterval(timer);
    if (!alone) void sayEnd(carriage);
    carriage.close();
    gone.resolve(words);
  };
  const waiting: string[] = [];
  let sending = false;
  const send = async () => {
    if (sending || over) return;
    sending = true;
    try {
      for (let lines = waiting.shift(); lines !== undefined; lines = waiting.shift()) {
        while (waiting.length > 0 && lines.length + waiting[0]!.length <= BATCH) lines += waiting.shift()!;
        await carriage.send(lines);
      }
    } catch (error) {
      end(`${name} accepts no more input: ${(error as Error).message}`);
    } finally {
      sending = false;
    }
  };
  const put = (line: string) => {
    if (over) return;
    waiting.push(`${line}\n`);
    void send();
  };
  const timer = setInterval(() => put(""), SIGN_OF_LIFE_MS);
  timer.unref();
  return {
    write: (bytes) => {
      const all = Buffer.from(bytes);
      for (let at = 0; at < all.length; at += PIECE) put(line(all.subarray(at, at + PIECE)));
    },
    listen: (data, control) => {
      const reading = [read(carriage.output, data), read(carriage.errors, control)];
      Promise.all(reading).then(
        () => end(`the shell in ${name} has ended`, true),
        (error: unknown) => end(`${name} was lost: ${(error as Error).message}`),
      );
    },
    closed: gone.promise,
    kill: () => end(`${name} was closed`),
    // Requests that wait for output keep the process running.
    hold: () => ({ [Symbol.dispose]: () => undefined }),
  };
}

/**
 * A shell that sees the end of its input ends everything it started, so the end is sent again after a short
 * interruption. If the connection stays lost, the shell's timeout ends it later.
 */
async function sayEnd(carriage: Carriage): Promise<void> {
  for (const pauseMs of SAY_AGAIN_MS) {
    if (
      await carriage.send(".\n").then(
        () => true,
        () => false,
      )
    )
      return;
    await wait(pauseMs, undefined, { ref: false });
  }
}

function line(bytes: Buffer): string {
  return bytes.length > SPELLED ? `=${bytes.toString("base64")}` : `+${bytesWord(bytes).slice(1, -1)}`;
}

/** To the line that says it is over. @throws when the text ends before, or is something else. */
async function read(text: AsyncIterable<string>, take: (bytes: Uint8Array) => void): Promise<void> {
  let rest = "";
  for await (const piece of text) {
    let at = 0;
    // Line by line: joining and splitting whole pieces would cost several times their memory.
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", at)) {
      const line = (rest + piece.slice(at, end)).replaceAll(" ", "");
      if (line === ".") return;
      const packed = line.startsWith("~");
      const bytes = decoded(packed ? line.slice(1) : line, packed);
      // Before the shell stands, the place itself may say what is wrong, in words.
      if (bytes === undefined) throw new Error(`it sent: ${(rest + piece.slice(at, end)).trim().slice(0, 300)}`);
      if (bytes.length > 0) take(bytes);
      letGo(bytes);
      rest = "";
      at = end + 1;
    }
    rest += piece.slice(at);
  }
  throw new Error("its output ended in the middle");
}

/**
 * Gives the memory of a long piece back at once. The collector would let some fifty megabytes of them come together
 * first.
 */
function letGo({ buffer }: Buffer): void {
  // Short ones share their memory with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= FRAME / 2 && buffer.byteLength !== Buffer.poolSize)
    buffer.transfer(0);
}

/** `undefined`: it is no line of a carrier. */
function decoded(line: string, packed: boolean): Buffer | undefined {
  const bytes = Buffer.from(line, "base64");
  // Of what is base64 from end to end; what is not decodes to less.
  if (bytes.length !== (line.length / 4) * 3 - (line.endsWith("==") ? 2 : line.endsWith("=") ? 1 : 0)) return undefined;
  if (!packed) return bytes;
  try {
    return process.getBuiltinModule("node:zlib").inflateRawSync(bytes, { maxOutputLength: FRAME, chunkSize: FRAME });
  } catch {
    return undefined;
  }
}
