import { Container, Text } from "@earendil-works/pi-tui";
import type { Origin } from "../../../../contract/conversation/fact.ts";
import type { ImagePart } from "../../../../contract/conversation/part.ts";
import { printable } from "../../../shared/display/printable.ts";
import type { Theme } from "./theme.ts";
import { Thumbnails } from "./thumbnails.ts";
import { beginningOf } from "./truncate-line.ts";

/** A message to the model: the beginning of a long one, and its images. */
export class UserMessage extends Container {
  constructor(text: string, origin: Origin, images: readonly ImagePart[], theme: Theme) {
    super();
    const { accent, strong, dim } = theme;
    const byUser = origin === "person";
    const { lines, more } = beginningOf(printable(text));
    const shown = lines.map(
      (line, index) => `${index === 0 ? accent(byUser ? "›" : "◇") : " "} ${(byUser ? strong : dim)(line)}`,
    );
    this.addChild(new Text([...shown, ...(more === undefined ? [] : [`  ${dim(more)}`])].join("\n"), 1, 0));
    if (images.length > 0) this.addChild(new Thumbnails(images, theme));
  }
}
