import { wrapTextWithAnsi, type Component } from "@earendil-works/pi-tui";
import { width as columnsOf } from "../../../shared/display/width.ts";

/** `why   a long sentence` whose wrapped lines align with the sentence, not with the label. */
export class Labelled implements Component {
  readonly #label: string;
  readonly #text: string;

  /** @param label Padded to the width of its column, styled or not. */
  constructor(label: string, text: string) {
    this.#label = label;
    this.#text = text;
  }

  render(width: number): string[] {
    const column = columnsOf(this.#label);
    const lines = this.#text.split("\n").flatMap((line) => wrapTextWithAnsi(line, Math.max(8, width - column - 2)));
    return lines.map((line, index) => ` ${index === 0 ? this.#label : " ".repeat(column)}${line}`);
  }

  invalidate(): void {}
}
