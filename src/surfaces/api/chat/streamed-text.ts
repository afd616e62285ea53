/**
 * The words of one turn as a stream can show them: what was sent cannot be taken back. A request that broke off and is made again says its
 * beginning a second time, which is left out as far as it is the same.
 */
export class ShownText {
  /** All that was sent. */
  #sent = "";
  /** Of the request that is under way: what was sent, and what it has said since it was last made. */
  #shown = "";
  #said = "";
  readonly #send: (text: string) => void;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  get text(): string {
    return this.#sent;
  }

  /** A request is made, for the first time or again. */
  asked(): void {
    this.#said = "";
  }

  delta(text: string): void {
    this.#said += text;
    this.#goOn();
  }

  /** It is answered: these are its words. */
  answered(text: string): void {
    this.#said = text;
    this.#goOn();
    this.#shown = this.#said = "";
  }

  #goOn(): void {
    if (this.#shown.startsWith(this.#said)) return;
    // Where it takes another course than before, it is said anew.
    const same = this.#said.startsWith(this.#shown);
    const more = same ? this.#said.slice(this.#shown.length) : this.#said;
    const apart = this.#sent !== "" && (this.#shown === "" || !same) ? "\n\n" : "";
    this.#shown = this.#said;
    this.#sent += apart + more;
    this.#send(apart + more);
  }
}
