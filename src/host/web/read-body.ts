import type { Transform } from "node:stream";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { Dialled } from "./dial.ts";

export interface BodyLimits {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly host: string;
  /** Called once, when nothing more will come. */
  done(): void;
}

/**
 * The body as it arrives, decompressed, up to a limit that counts after decompression: a small answer can expand to
 * gigabytes. A reader that stops before the first chunk closes the connection, too, which a generator alone would not
 * notice.
 */
export function readBody(reply: Dialled, limits: BodyLimits): AsyncIterableIterator<Uint8Array, void> {
  const pieces = piecesOf(reply, limits);
  let begun = false;
  return {
    next: () => ((begun = true), pieces.next()),
    async return() {
      if (!begun) {
        limits.done();
        reply.destroy();
      }
      return pieces.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* piecesOf(reply: Dialled, limits: BodyLimits): AsyncGenerator<Uint8Array, void> {
  const { incoming, headers } = reply;
  const { maxBytes, signal, host } = limits;
  const stop = () => incoming.destroy(signal.reason);
  incoming.socket.ref();
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    const announced = Number(headers["content-length"]);
    if (announced > maxBytes) throw tooLong(host, maxBytes);
    let bytes = 0;
    for await (const chunk of unpacked(reply, host)) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLong(host, maxBytes);
      yield chunk;
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof ToolFailure) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? "closed";
    throw new ToolFailure(
      "unreachable",
      code.startsWith("Z_") || code.startsWith("ERR_")
        ? `The answer of ${host} cannot be decompressed (${code}).`
        : `The answer of ${host} ended early (${code}).`,
      { cause },
    );
  } finally {
    signal.removeEventListener("abort", stop);
    limits.done();
    reply.destroy();
  }
}

function unpacked({ incoming, headers }: Dialled, host: string): AsyncIterable<Uint8Array> {
  const encodings = (headers["content-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "" && word !== "identity");
  if (encodings.length === 0) return incoming;
  const [encoding, ...more] = encodings;
  const zlib = process.getBuiltinModule("node:zlib");
  const make: { readonly [name: string]: () => Transform } = {
    gzip: () => zlib.createGunzip(),
    "x-gzip": () => zlib.createGunzip(),
    deflate: () => zlib.createInflate(),
    br: () => zlib.createBrotliDecompress(),
  };
  const unpack = make[encoding!];
  if (unpack === undefined || more.length > 0)
    throw new ToolFailure(
      "unreachable",
      `${host} compressed its answer in a way that was not requested (${encodings.join(", ").slice(0, 60)}).`,
    );
  const stream = unpack();
  incoming.once("error", (cause) => stream.destroy(cause));
  stream.once("close", () => incoming.destroy());
  return incoming.pipe(stream);
}

function tooLong(host: string, maxBytes: number): ToolFailure {
  return new ToolFailure("unreachable", `The answer of ${host} is longer than ${maxBytes} bytes.`, {
    hint: "Request a smaller part of it.",
  });
}
