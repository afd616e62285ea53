import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";

/** A body as it was before somebody on the way compressed it, which nobody asked for; `undefined` for a way that is not known. */
export function decoded(incoming: IncomingMessage): Readable | undefined {
  const encoding = incoming.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return incoming;
  const decoder = decoderFor(encoding);
  if (decoder === undefined) return undefined;
  // Whoever reads is told by the iterator.
  return process.getBuiltinModule("node:stream").pipeline(incoming, decoder, () => {});
}

function decoderFor(encoding: string): Transform | undefined {
  const zlib = process.getBuiltinModule("node:zlib");
  // What has come is handed on at once: an answer is read while it is written.
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  if (encoding === "gzip" || encoding === "x-gzip") return zlib.createGunzip({ flush: Z_SYNC_FLUSH });
  if (encoding === "deflate") return zlib.createInflate({ flush: Z_SYNC_FLUSH });
  return encoding === "br" ? zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH }) : undefined;
}
