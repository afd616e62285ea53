import type { AgentEvent, Live } from "../../../contract/conversation/fact.ts";
import type { Delta, PartialAnswer } from "./chat-state.ts";

/** Newest characters of a call's output that are kept. */
const MAX_PROGRESS = 20_000;

/** Collects live events, so that a page that comes later shows the beginning of the answer, too. */
export class LiveAnswer {
  #number = 0;
  #text = "";
  #thinking = "";
  #tool: string | undefined;
  #waiting: PartialAnswer["waiting"];
  readonly #progress = new Map<string, string>();

  get shown(): PartialAnswer {
    return {
      number: this.#number,
      text: this.#text,
      thinking: this.#thinking,
      tool: this.#tool,
      waiting: this.#waiting,
      progress: Object.fromEntries(this.#progress),
    };
  }

  /** @returns what to send to pages for a live event. */
  receive(event: AgentEvent): Delta | undefined {
    if (event.kind === "live") return this.#live(event.live);
    const { fact } = event.recorded;
    if (fact.type === "tool.settled") this.#progress.delete(fact.callId);
    if (fact.type === "turn.ended") this.#progress.clear();
    if (["model.asked", "model.answered", "model.failed", "turn.ended"].includes(fact.type)) {
      this.#number++;
      [this.#text, this.#thinking, this.#tool, this.#waiting] = ["", "", undefined, undefined];
    }
    return undefined;
  }

  #live(live: Live): Delta {
    const number = this.#number;
    switch (live.type) {
      case "text.delta": {
        const offset = this.#text.length;
        this.#text += live.text;
        return { number, kind: "text", offset, text: live.text };
      }
      case "thinking.delta": {
        const offset = this.#thinking.length;
        this.#thinking += live.text;
        return { number, kind: "thinking", offset, text: live.text };
      }
      case "call.delta":
        this.#tool = live.tool;
        return { number, kind: "tool", tool: live.tool };
      case "model.waiting":
        this.#waiting = { text: live.text, untilAt: live.untilAt };
        return { number, kind: "waiting", ...this.#waiting };
      case "tool.progress":
      case "subagent.progress": {
        const text = live.text.slice(-MAX_PROGRESS);
        this.#progress.set(live.callId, text);
        return { number, kind: "progress", callId: live.callId, text };
      }
    }
  }
}
