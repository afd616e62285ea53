import { wrapTextWithAnsi, type Component } from "@earendil-works/pi-tui";

/** `why   a sentence that goes on` with its further lines under the sentence, not under the label. */
export class Labelled implements Component {
  readonly #label: string;
  readonly #text: string;

  /** @param label Padded to the width of its column. */
  constructor(label: string, text: string) {
    this.#label = label;
    this.#text = text;
  }

  render(width: number): string[] {
    const lines = this.#text.split("\n").flatMap((line) => wrapTextWithAnsi(line, Math.max(8, width - this.#label.length - 2)));
    return lines.map((line, index) => ` ${index === 0 ? this.#label : " ".repeat(this.#label.length)}${line}`);
  }

  invalidate(): void {}
}
