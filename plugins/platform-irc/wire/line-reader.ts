/** Maximum line length of the protocol, including tags. */
const MAX_LINE_BYTES = 16_384;

/** Splits a byte stream into lines. Skips lines that are too long. */
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

/** Most clients send UTF-8; invalid UTF-8 is read as Latin-1 of an older client. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}
