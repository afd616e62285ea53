import { type Component } from "@earendil-works/pi-tui";
import type { Fact } from "../../../../contract/conversation/fact.ts";
import type { Session } from "../../../../contract/conversation/session.ts";
import { cutTo, width } from "../../../shared/display/width.ts";
import { oneLine } from "../../../shared/display/printable.ts";
import type { Display } from "../../../shared/display/display.ts";
import { dollars } from "../../../shared/display/dollars.ts";
import type { Theme } from "./theme.ts";

/** The line under the editor: key hints, model, tokens, cost and session. Leaves out what does not fit. */
export class FooterLine implements Component {
  readonly #theme: Theme;
  /** Current key hints, such as `Esc stops`. */
  readonly #now: () => readonly string[];
  readonly #display: () => Display;
  /** `/statusbar`. */
  hidden = false;
  #model = "";
  #tokens = 0;
  #costUsd = 0;
  #name = "";

  constructor(theme: Theme, now: () => readonly string[], display: () => Display) {
    this.#theme = theme;
    this.#now = now;
    this.#display = display;
  }

  /** Shows another session. */
  open(session: Session, model: string): void {
    const { usage, costUsd, title, model: used } = session.view();
    this.#model = used ?? model;
    this.#tokens = usage.inputTokens + usage.outputTokens;
    this.#costUsd = costUsd;
    this.#name = title ?? session.id;
  }

  rename(title: string): void {
    this.#name = title;
  }

  onFact(fact: Fact): void {
    if (fact.type === "model.asked") this.#model = fact.model;
    else if (fact.type === "model.answered" || fact.type === "subagent.ended") {
      this.#tokens += fact.usage.inputTokens + fact.usage.outputTokens;
      this.#costUsd += fact.costUsd ?? 0;
    } else if (fact.type === "session.titled") this.#name = fact.title;
  }

  render(columns: number): string[] {
    let line = "";
    if (this.hidden) return [];
    const cost = this.#display().cost && this.#costUsd > 0 ? dollars(this.#costUsd) : "";
    for (const part of [
      ...this.#now(),
      oneLine(this.#model),
      this.#tokens === 0 ? "" : `${count(this.#tokens)} tokens`,
      cost,
      oneLine(this.#name),
    ]) {
      const longer = line === "" ? part : part === "" ? line : `${line} · ${part}`;
      if (line !== "" && width(longer) > columns - 2) continue;
      line = longer;
    }
    return [` ${this.#theme.dim(cutTo(line, columns - 2))}`];
  }

  invalidate(): void {}
}

function count(tokens: number): string {
  return tokens < 10_000
    ? String(tokens)
    : tokens < 1_000_000
      ? `${Math.round(tokens / 1000)}k`
      : `${(tokens / 1_000_000).toFixed(1)}M`;
}
