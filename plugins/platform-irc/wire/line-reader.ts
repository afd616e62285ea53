/** No line of the protocol is longer, tags included. */
const MAX_LINE_BYTES = 16_384;

/** Bytes as they come, to lines. What is longer than any line may be is passed over to its end. */
export function lineReader(message: (line: string) => void): (bytes: Uint8Array) => void {
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  let passingOver = false;
  return (bytes) => {
    rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      if (!passingOver) message(textOf(line).replace(/\r+$/, ""));
      passingOver = false;
    }
    if (rest.length <= MAX_LINE_BYTES) return;
    rest = Buffer.alloc(0);
    passingOver = true;
  };
}

/** Most write UTF-8; what is none is an older client's one byte for each letter. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}
