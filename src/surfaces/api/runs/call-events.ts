import type { Fact } from "../../../contract/conversation/fact.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import { endingOf, type CallEnding } from "../../shared/display/call-ending.ts";
import { subjectOf } from "../../shared/display/call-subject.ts";

export interface WatchedCall {
  readonly callId: string;
  readonly tool: string;
  readonly emoji: string;
  /** A short description for users. */
  readonly label: string;
}

export type CallEvent =
  | { readonly kind: "started"; readonly call: WatchedCall }
  | { readonly kind: "ended"; readonly call: WatchedCall; readonly ending: CallEnding; readonly durationMs: number };

/** The tool calls of a turn as API events. Calls made by a call's code are part of it. */
export class CallEvents {
  readonly #toolOf: (name: string) => Pick<ToolDeclaration, "emoji"> | undefined;
  readonly #mask: (text: string) => string;
  readonly #calls = new Map<string, WatchedCall>();

  constructor(toolOf: (name: string) => Pick<ToolDeclaration, "emoji"> | undefined, mask: (text: string) => string) {
    this.#toolOf = toolOf;
    this.#mask = mask;
  }

  onFact(fact: Fact): CallEvent | undefined {
    if (fact.type === "tool.called" && fact.parentCallId === undefined)
      this.#calls.set(fact.callId, {
        callId: fact.callId,
        tool: fact.tool,
        emoji: this.#toolOf(fact.tool)?.emoji || "⚡",
        label: this.#labelOf(fact.tool, fact.args),
      });
    if (fact.type !== "tool.started" && fact.type !== "tool.settled") return undefined;
    const call = this.#calls.get(fact.callId);
    if (call === undefined) return undefined;
    if (fact.type === "tool.started") return { kind: "started", call };
    this.#calls.delete(fact.callId);
    return { kind: "ended", call, ending: endingOf(fact.outcome), durationMs: fact.durationMs };
  }

  #labelOf(tool: string, args: JsonObject | undefined): string {
    const subject = subjectOf(args);
    return this.#mask(subject === "" ? tool : subject);
  }
}
