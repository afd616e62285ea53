import { getCapabilities, Image, truncateToWidth, type Component } from "@earendil-works/pi-tui";
import type { ImagePart, Part } from "../../../../contract/conversation/part.ts";
import type { Theme } from "./theme.ts";

/** A thumbnail must not push the conversation off the screen. */
const COLUMNS = 32;
const ROWS = 10;
const INDENT = 4;

/** Images below a message or call: small pictures where the terminal shows images, else their kind and size. */
export class Thumbnails implements Component {
  readonly #images: readonly Image[];

  constructor(images: readonly ImagePart[], theme: Theme) {
    this.#images = images.map(
      ({ data, mediaType }) =>
        new Image(data, mediaType, { fallbackColor: theme.dim }, { maxWidthCells: COLUMNS, maxHeightCells: ROWS }),
    );
  }

  render(width: number): readonly string[] {
    const indent = " ".repeat(Math.min(INDENT, width));
    return this.#images.flatMap((image) => {
      const lines = image.render(Math.max(4, width - INDENT));
      if (getCapabilities().images === null)
        return lines.map((line) => truncateToWidth(`${indent}${line}`, width, "…"));
      return lines.map((line) => (line === "" ? "" : `${indent}${line}`));
    });
  }

  invalidate(): void {
    for (const image of this.#images) image.invalidate();
  }
}

export function imagesOf(parts: readonly Part[]): readonly ImagePart[] {
  return parts.filter((part) => part.type === "image");
}
