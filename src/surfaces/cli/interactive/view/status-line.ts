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
  /** Risky calls run without asking. */
  approvalsOff(): boolean;
  /** Who decides about risky calls, and where commands run: `smart approvals, sandbox`; "" for the usual mode. */
  mode(): Promise<string>;
  /** The answer that the session waits for: `your approval`; "" if none. */
  question(): string;
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
  #mode = "";
  #workingSince: number | undefined;
  /** A request was sent and is not answered. */
  #asked = false;
  /** Tools of the calls that run, by call. */
  readonly #calls = new Map<string, string>();
  readonly #running = new Set<string>();

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
    this.#ended();
    this.#readBranch();
    this.#readMode();
  }

  rename(title: string): void {
    this.#name = title;
  }

  onFact(fact: Fact): void {
    this.#cost.onFact(fact);
    if (fact.type === "model.asked") {
      this.#model = fact.model;
      this.#asked = true;
      this.#workingSince ??= performance.now();
    } else if (fact.type === "model.failed") this.#asked = false;
    else if (fact.type === "tool.called") this.#calls.set(fact.callId, fact.tool);
    else if (fact.type === "tool.started") this.#running.add(fact.callId);
    else if (fact.type === "tool.settled") this.#running.delete(fact.callId);
    else if (fact.type === "model.answered") {
      this.#asked = false;
      this.#tokens = fact.usage.inputTokens + fact.usage.outputTokens;
      this.#measureWindow();
    } else if (fact.type === "session.titled") this.#name = fact.title;
    else if (fact.type === "turn.ended") {
      this.#ended();
      this.#readBranch();
      this.#readMode();
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
    if (this.#ports.approvalsOff()) add("approvals off", bad);
    for (const field of this.#display().statusLine) add(this.#textOf(field), dim);
    return [` ${painted}`];
  }

  invalidate(): void {}

  #textOf(field: StatusField): string {
    switch (field) {
      case "waiting":
        return this.#awaited();
      case "mode":
        return this.#ports.approvalsOff() ? "" : this.#mode;
      case "model":
        return oneLine(this.#model);
      case "context":
        return this.#window?.model === this.#model && this.#tokens > 0
          ? `${share(this.#tokens, this.#window.tokens)} of context`
          : "";
      case "cost":
        // An unknown cost is worth a place only for users who asked for costs.
        return this.#cost.text === "$?" && !this.#display().cost ? "" : this.#cost.text;
      case "folder":
        return oneLine(homePath(this.#folder)) + (this.#branch === undefined ? "" : ` (${oneLine(this.#branch)})`);
      case "time":
        return this.#workingSince === undefined ? "" : elapsed(this.#workingSince);
      case "session":
        return oneLine(this.#name);
    }
  }

  /** What the session waits for. */
  #awaited(): string {
    const question = this.#ports.question();
    if (question !== "") return `waits for ${question}`;
    const [call] = this.#running;
    if (call !== undefined) {
      const others = this.#running.size - 1;
      return `runs ${oneLine(this.#calls.get(call) ?? "a call")}${others === 0 ? "" : ` and ${others} more`}`;
    }
    return this.#asked ? "waits for the model" : "";
  }

  #ended(): void {
    this.#workingSince = undefined;
    this.#asked = false;
    this.#calls.clear();
    this.#running.clear();
  }

  #readMode(): void {
    this.#ports.mode().then(
      (mode) => {
        if (mode === this.#mode) return;
        this.#mode = mode;
        this.#ports.redraw();
      },
      () => undefined, // Without it, the line shows nothing.
    );
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
