/** One server-sent event. */
export interface ReceivedEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

/**
 * Reads server-sent events whose data is JSON. `EventSource` could not send the token.
 * @param onPiece Called for everything that arrives, heartbeats included.
 */
export async function* eventsIn(
  pieces: AsyncIterable<string>,
  onPiece: () => void = () => {},
): AsyncGenerator<ReceivedEvent> {
  let rest = "";
  for await (const piece of pieces) {
    onPiece();
    const blocks = (rest + piece).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields: { [name: string]: string } = {};
      for (const line of block.split("\n")) {
        const colon = line.indexOf(": ");
        if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 2);
      }
      if (fields["data"] !== undefined)
        yield { id: fields["id"], event: fields["event"] ?? "message", data: JSON.parse(fields["data"]) as unknown };
    }
  }
}
