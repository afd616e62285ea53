/** A report of a shell besides its output: its kind, the number of its command, and the rest. */
export interface Notice {
  readonly kind: string;
  readonly id: string;
  readonly rest: string;
}

/** Cuts a stream of `KIND ID REST\0` into notices. A line before one is noise of the transport, and kept apart. */
export class ControlReader {
  #pending = "";
  #noise = "";

  read(bytes: Uint8Array): readonly Notice[] {
    const messages = (this.#pending + Buffer.from(bytes).toString("latin1")).split("\0");
    this.#pending = messages.pop()!;
    return messages.flatMap((message) => {
      const found = /^([\s\S]*?\n)??([a-z]+) (\d*) ?([\s\S]*)$/.exec(Buffer.from(message, "latin1").toString("utf8"));
      this.#noise = (this.#noise + (found === null ? message : (found[1] ?? ""))).slice(-MAX_NOISE);
      return found === null ? [] : [{ kind: found[2]!, id: found[3]!, rest: found[4]! }];
    });
  }

  /** The last words of the carrier: `Connection to host closed.` */
  get noise(): string {
    return (this.#noise + Buffer.from(this.#pending, "latin1").toString("utf8")).slice(-MAX_NOISE).trim();
  }
}

const MAX_NOISE = 2_000;
