import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import type { PartialAnswer } from "./chat-state.ts";

/** Newest characters of a call's output that are kept. */
const MAX_PROGRESS = 20_000;

/** Collects live events, so that a page that comes later shows the answer as far as it is. */
export class LiveAnswer {
  #text = "";
  #thinking = "";
  #tool: string | undefined;
  #waiting: PartialAnswer["waiting"];
  readonly #progress = new Map<string, string>();

  get shown(): PartialAnswer {
    return {
      text: this.#text,
      thinking: this.#thinking,
      tool: this.#tool,
      waiting: this.#waiting,
      progress: Object.fromEntries(this.#progress),
    };
  }

  receive(event: AgentEvent): void {
    if (event.kind === "live") {
      const { live } = event;
      if (live.type === "text.delta") this.#text += live.text;
      else if (live.type === "thinking.delta") this.#thinking += live.text;
      else if (live.type === "call.delta") this.#tool = live.tool;
      else if (live.type === "model.waiting") this.#waiting = { text: live.text, untilAt: live.untilAt };
      else if (live.type === "subagent.progress") this.#progress.set(live.callId, live.text);
      else this.#progress.set(live.callId, live.text.slice(-MAX_PROGRESS));
      return;
    }
    const { fact } = event.recorded;
    if (fact.type === "tool.settled") this.#progress.delete(fact.callId);
    if (fact.type === "turn.ended") this.#progress.clear();
    if (["model.asked", "model.answered", "model.failed", "turn.ended"].includes(fact.type)) {
      [this.#text, this.#thinking, this.#tool, this.#waiting] = ["", "", undefined, undefined];
    }
  }
}
