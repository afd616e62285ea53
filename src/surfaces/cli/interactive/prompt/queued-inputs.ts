import { truncateToWidth, type Component } from "@earendil-works/pi-tui";
import type { Fact } from "../../../../contract/conversation/fact.ts";
import { textOf } from "../../../../contract/conversation/part.ts";
import { oneLine } from "../../../shared/display/printable.ts";
import type { Theme } from "../view/theme.ts";

const SHOWN = 5;

/** Messages typed during a turn that the agent has not read yet, above the editor. */
export class WaitingInputs implements Component {
  readonly #theme: Theme;
  readonly #inputs = new Map<string, { readonly mode: "queue" | "steer"; readonly text: string }>();

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  onFact(fact: Fact): void {
    if (fact.type === "input.queued")
      this.#inputs.set(fact.inputId, { mode: fact.mode, text: oneLine(textOf(fact.parts)) });
    else if (fact.type === "input.withdrawn") this.#inputs.delete(fact.inputId);
    else if (fact.type === "message.added" && fact.inputId !== undefined) this.#inputs.delete(fact.inputId);
  }

  clear(): void {
    this.#inputs.clear();
  }

  render(width: number): string[] {
    if (this.#inputs.size === 0) return [];
    const lines = [...this.#inputs.values()].map(
      ({ mode, text }) => `${mode === "steer" ? "after the next tool call:" : "queued:"} ${text}`,
    );
    const shown = lines.length > SHOWN ? [...lines.slice(0, SHOWN), `… and ${lines.length - SHOWN} more`] : lines;
    return ["", ...shown.map((line) => this.#theme.dim(` ${truncateToWidth(`⏎ ${line}`, width - 2, "…")}`))];
  }

  invalidate(): void {}
}
