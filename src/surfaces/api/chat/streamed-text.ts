/**
 * The text of one turn for a stream, which cannot take back what it sent. When a model request is retried, the part
 * that equals the text already sent is left out.
 */
export class ShownText {
  /** All text sent. */
  #sent = "";
  /** For the current model request: the text sent, and the text received since the last try. */
  #shown = "";
  #received = "";
  readonly #send: (text: string) => void;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  get text(): string {
    return this.#sent;
  }

  /** A model request starts, for the first time or as a retry. */
  asked(): void {
    this.#received = "";
  }

  delta(text: string): void {
    this.#received += text;
    this.#sendMore();
  }

  /** The model request has this complete answer. */
  answered(text: string): void {
    this.#received = text;
    this.#sendMore();
    this.#shown = this.#received = "";
  }

  #sendMore(): void {
    if (this.#shown.startsWith(this.#received)) return;
    // If the retry differs from the text sent, stream it from its beginning.
    const same = this.#received.startsWith(this.#shown);
    const more = same ? this.#received.slice(this.#shown.length) : this.#received;
    const apart = this.#sent !== "" && (this.#shown === "" || !same) ? "\n\n" : "";
    this.#shown = this.#received;
    this.#sent += apart + more;
    this.#send(apart + more);
  }
}
