import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";

/** Decompresses a body that a proxy compressed without a request; `undefined` for an unknown encoding. */
export function decoded(incoming: IncomingMessage): Readable | undefined {
  const encoding = incoming.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return incoming;
  const decoder = decoderFor(encoding);
  if (decoder === undefined) return undefined;
  // The reader gets errors from the iterator.
  return process.getBuiltinModule("node:stream").pipeline(incoming, decoder, () => {});
}

function decoderFor(encoding: string): Transform | undefined {
  const zlib = process.getBuiltinModule("node:zlib");
  // Flush each piece at once, because the answer is streamed.
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  if (encoding === "gzip" || encoding === "x-gzip") return zlib.createGunzip({ flush: Z_SYNC_FLUSH });
  if (encoding === "deflate") return zlib.createInflate({ flush: Z_SYNC_FLUSH });
  return encoding === "br" ? zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH }) : undefined;
}
