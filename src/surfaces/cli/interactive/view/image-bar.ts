import { truncateToWidth, type Component } from "@earendil-works/pi-tui";
import type { ImagePart } from "../../../../contract/conversation/part.ts";
import type { Attachment } from "../../../shared/conversation/attachment.ts";
import { oneLine } from "../../../shared/display/printable.ts";
import type { Theme } from "./theme.ts";

/** The images attached to the next message, above the editor. */
export class ImageBar implements Component {
  readonly #theme: Theme;
  #images: readonly Attachment[] = [];

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  add(image: Attachment): void {
    this.#images = [...this.#images, image];
  }

  /** Returns the images and clears the bar. */
  take(): readonly ImagePart[] {
    const images = this.#images;
    this.#images = [];
    return images.map(({ part }) => part);
  }

  render(columns: number): string[] {
    const names = this.#images.map(({ name }, index) => `[image ${index + 1}: ${oneLine(name)}]`).join(" ");
    return names === "" ? [] : [` ${truncateToWidth(this.#theme.accent(names), columns - 2, "…")}`];
  }

  invalidate(): void {}
}
