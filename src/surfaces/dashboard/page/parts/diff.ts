import type { PreviewLine } from "../../../shared/display/preview-line.ts";
import { element } from "../element.ts";
import { say } from "../text.ts";

/** The lines of a diff with their numbers, added and removed ones marked. */
export function diffView(lines: readonly PreviewLine[]): HTMLElement {
  return element(
    "pre",
    { class: "diff", tabindex: 0, role: "region", "aria-label": say("Changes") },
    lines.map(({ kind, text }) => element("span", { class: `line ${kind}` }, `${text}\n`)),
  );
}
