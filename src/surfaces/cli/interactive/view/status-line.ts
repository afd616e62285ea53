import { type Component } from "@earendil-works/pi-tui";
import type { Fact } from "../../../../contract/conversation/fact.ts";
import type { Session } from "../../../../contract/conversation/session.ts";
import type { Display, StatusField } from "../../../shared/display/display.ts";
import { gitBranch } from "../../../shared/display/git-branch.ts";
import { homePath } from "../../../shared/display/home-path.ts";
import { oneLine } from "../../../shared/display/printable.ts";
import { cutTo, width } from "../../../shared/display/width.ts";
import { CostField } from "./cost-field.ts";
import type { Theme } from "./theme.ts";
import { elapsed } from "./ticker.ts";

/** What the line shows that the session does not know. */
export interface StatusPorts {
  /** Key hints of the moment, such as `Esc stops`. */
  keys(): readonly string[];
  /** The user switched approvals off. */
  yolo(): boolean;
  /** Tokens that a model reads at most. */
  contextTokens(model: string): Promise<number>;
  /** What a session cost; "" if nothing was charged. */
  costOf(session: Session): Promise<string>;
  redraw(): void;
}

/**
 * The line under the editor: key hints, and the fields of `display.status_line` in their order. Leaves out what does
 * not fit.
 */
export class StatusLine implements Component {
  readonly #theme: Theme;
  readonly #ports: StatusPorts;
  readonly #display: () => Display;
  /** `/statusbar`. */
  hidden = false;
  #model = "";
  /** Tokens of the newest request and its answer: those that the next request contains again. */
  #tokens = 0;
  #window: { readonly model: string; readonly tokens: number } | undefined;
  readonly #cost: CostField;
  #name = "";
  #folder = "";
  #branch: string | undefined;
  #workingSince: number | undefined;

  constructor(theme: Theme, ports: StatusPorts, display: () => Display) {
    this.#theme = theme;
    this.#ports = ports;
    this.#display = display;
    this.#cost = new CostField(
      (session) => ports.costOf(session),
      () => ports.redraw(),
    );
  }

  /** Shows another session. */
  open(session: Session, model: string): void {
    const { title, model: used, turns } = session.view();
    this.#model = used ?? model;
    this.#tokens = 0;
    this.#cost.open(session, turns > 0);
    this.#name = title ?? session.id;
    this.#folder = session.cwd;
    this.#workingSince = undefined;
    this.#readBranch();
  }

  rename(title: string): void {
    this.#name = title;
  }

  onFact(fact: Fact): void {
    if (this.#display().cost) this.#cost.onFact(fact);
    if (fact.type === "model.asked") {
      this.#model = fact.model;
      this.#workingSince ??= performance.now();
    } else if (fact.type === "model.answered") {
      this.#tokens = fact.usage.inputTokens + fact.usage.outputTokens;
      this.#measureWindow();
    } else if (fact.type === "session.titled") this.#name = fact.title;
    else if (fact.type === "turn.ended") {
      this.#workingSince = undefined;
      this.#readBranch();
    }
  }

  render(columns: number): string[] {
    if (this.hidden) return [];
    const { dim, bad } = this.#theme;
    let line = "";
    let painted = "";
    const add = (text: string, paint: (text: string) => string): void => {
      const longer = line === "" ? text : `${line} · ${text}`;
      if (text === "" || (line !== "" && width(longer) > columns - 2)) return;
      const shown = cutTo(text, columns - 2);
      painted += `${line === "" ? "" : dim(" · ")}${paint(shown)}`;
      line = longer;
    };
    for (const hint of this.#ports.keys()) add(hint, dim);
    if (this.#ports.yolo()) add("approvals off", bad);
    for (const field of this.#display().statusLine) add(this.#textOf(field), dim);
    return [` ${painted}`];
  }

  invalidate(): void {}

  #textOf(field: StatusField): string {
    switch (field) {
      case "model":
        return oneLine(this.#model);
      case "context":
        return this.#window?.model === this.#model && this.#tokens > 0
          ? `${share(this.#tokens, this.#window.tokens)} of context`
          : "";
      case "cost":
        return this.#display().cost ? this.#cost.text : "";
      case "folder":
        return oneLine(homePath(this.#folder)) + (this.#branch === undefined ? "" : ` (${oneLine(this.#branch)})`);
      case "time":
        return this.#workingSince === undefined ? "" : elapsed(this.#workingSince);
      case "session":
        return oneLine(this.#name);
    }
  }

  #measureWindow(): void {
    const model = this.#model;
    if (this.#window?.model === model) return;
    this.#ports.contextTokens(model).then(
      (tokens) => {
        this.#window = { model, tokens };
        this.#ports.redraw();
      },
      () => undefined, // Without the figure, the line shows nothing.
    );
  }

  #readBranch(): void {
    const folder = this.#folder;
    void gitBranch(folder).then((branch) => {
      if (folder !== this.#folder || branch === this.#branch) return;
      this.#branch = branch;
      this.#ports.redraw();
    });
  }
}

/** `7 %`; below one percent with a digit, so that a small share does not look like none. */
function share(tokens: number, window: number): string {
  const percent = (100 * tokens) / window;
  return `${percent < 1 ? percent.toFixed(1) : Math.round(percent)} %`;
}
