/** One event of a stream. `event` is "" when the server names none. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** The answer of a model provider is invalid or incomplete; a retry may help. The message is a phrase without a period. */
export class BrokenStream extends Error {}

/** The error that the user sees for a {@link BrokenStream}. */
export function brokenAnswer(service: string, { message }: BrokenStream): string {
  return `${service} sent an unusable answer: ${message}. If this repeats, check the base URL or choose another model with \`hermes model\`.`;
}

/** A single event larger than this is not an answer any more. */
const MAX_EVENT_CHARS = 64 * 1024 * 1024;

/**
 * Bytes to events: any chunking, UTF-8 split across chunks, a byte order mark, LF, CR LF or CR, comments. An event that
 * the end of the stream cuts off before its blank line is still given out, since many servers leave that line away.
 * Both methods throw {@link BrokenStream} for bytes that are not UTF-8: a replacement character inside a command would
 * be run.
 */
export class EventReader {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  #rest = "";
  /** The rest ends with a carriage return, whose other half may follow. */
  #half = false;
  #event = "";
  #data: string[] = [];
  #chars = 0;
  #brought = false;

  push(bytes: Uint8Array): readonly ServerSentEvent[] {
    this.#brought = false;
    return this.#lines(this.#decode(bytes));
  }

  /** The last bytes were only comments, with which services keep a connection open. */
  get idle(): boolean {
    return !this.#brought && (this.#rest === "" || this.#rest.startsWith(":"));
  }

  /** Returns the events that the end of the stream completes. */
  end(): readonly ServerSentEvent[] {
    const events = this.#lines(`${this.#decode()}\n`);
    const last = this.#line("");
    return last === undefined ? events : [...events, last];
  }

  #decode(bytes?: Uint8Array): string {
    try {
      return bytes === undefined ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true });
    } catch {
      throw new BrokenStream("the answer stream is not valid UTF-8");
    }
  }

  #lines(text: string): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    // A long line comes in many pieces; it is searched for its end once.
    if (!this.#half && !/[\r\n]/.test(text)) {
      this.#keep(this.#rest + text);
      return events;
    }
    const buffer = this.#rest === "" ? text : this.#rest + text;
    let from = 0;
    for (;;) {
      const end = lineEnd(buffer, from);
      if (end === undefined) break;
      const event = this.#line(buffer.slice(from, end.at));
      from = end.next;
      if (event !== undefined) events.push(event);
    }
    this.#half = buffer.endsWith("\r");
    this.#keep(buffer.slice(from));
    return events;
  }

  #keep(rest: string): void {
    this.#rest = rest;
    if (rest.length + this.#chars > MAX_EVENT_CHARS)
      throw new BrokenStream("an event in the answer stream is larger than 64 MB");
  }

  #line(line: string): ServerSentEvent | undefined {
    if (line === "") {
      const event = this.#data.length === 0 ? undefined : { event: this.#event, data: this.#data.join("\n") };
      this.#event = "";
      this.#data = [];
      this.#chars = 0;
      return event;
    }
    const colon = line.indexOf(":");
    this.#brought ||= colon !== 0;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line.charCodeAt(colon + 1) === 32 ? colon + 2 : colon + 1);
    if (field === "data") {
      this.#data.push(value);
      this.#chars += value.length;
    } else if (field === "event") this.#event = value;
    return undefined;
  }
}

function lineEnd(text: string, from: number): { readonly at: number; readonly next: number } | undefined {
  const feed = text.indexOf("\n", from);
  const carriage = text.indexOf("\r", from);
  if (carriage >= 0 && (feed < 0 || carriage < feed)) {
    // A carriage return at the very end may be the first half of CR LF.
    if (carriage === text.length - 1) return undefined;
    return { at: carriage, next: text.charCodeAt(carriage + 1) === 10 ? carriage + 2 : carriage + 1 };
  }
  return feed < 0 ? undefined : { at: feed, next: feed + 1 };
}
