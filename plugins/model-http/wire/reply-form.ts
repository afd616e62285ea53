/** `page`: HTML, so the server is not a model service. */
export type ReplyForm = "events" | "whole" | "page";

/**
 * Detects the form of a reply from its beginning, because its content type is often wrong. An event stream starts with
 * neither a brace nor a tag. Use the returned body instead of the given one; it starts at the beginning.
 */
export async function formOf(
  body: AsyncIterable<Uint8Array>,
): Promise<{ readonly form: ReplyForm; readonly body: AsyncIterable<Uint8Array> }> {
  const pieces = body[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let sign: string | undefined;
  for (let ended = false; sign === undefined && !ended;) {
    const next = await pieces.next();
    ended = next.done === true;
    if (next.done === true) continue;
    seen.push(next.value);
    sign = firstSign(next.value);
  }
  return { form: sign === "{" || sign === "[" ? "whole" : sign === "<" ? "page" : "events", body: again(seen, pieces) };
}

/** The first character that is no blank and no byte order mark. */
function firstSign(bytes: Uint8Array): string | undefined {
  const byte = bytes.find((one) => one > 0x20 && one !== 0xef && one !== 0xbb && one !== 0xbf);
  return byte === undefined ? undefined : String.fromCharCode(byte);
}

/** No generator: that would cost several turns of the event loop for every piece. */
function again(seen: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const piece = seen.shift();
        return piece === undefined ? rest.next() : Promise.resolve({ done: false, value: piece });
      },
      return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
    }),
  };
}
