import type { ContentBlock, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { Fact, Live } from "../../contract/conversation/fact.ts";
import type { Part } from "../../contract/conversation/part.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { Display } from "../shared/display/display.ts";
import { planOf } from "./plan.ts";
import { beganCall, endedCall } from "./shown-call.ts";
import type { ShownCalls } from "./shown-calls.ts";

export interface UpdatePorts {
  readonly cwd: string;
  display(): Pick<Display, "streaming" | "reasoning">;
  readonly calls: ShownCalls;
}

/** What happens in a session as updates of the protocol: while it happens, and again when the editor loads the conversation. */
export class SessionUpdates {
  readonly #ports: UpdatePorts;
  /** The request whose words come now: an answer that is asked for again is another message. */
  #request = "";
  #streamed = "";
  #thought = "";

  constructor(ports: UpdatePorts) {
    this.#ports = ports;
  }

  onLive(live: Live): readonly SessionUpdate[] {
    const { streaming, reasoning } = this.#ports.display();
    if (live.type === "tool.progress" || live.type === "subagent.progress")
      return this.#ports.calls.get(live.callId) !== undefined
        ? [
            {
              sessionUpdate: "tool_call_update",
              toolCallId: live.callId,
              content: [{ type: "content", content: { type: "text", text: live.text } }],
            },
          ]
        : [];
    if (!streaming) return [];
    if (live.type === "text.delta") {
      this.#streamed += live.text;
      return this.#said("agent_message_chunk", live.text);
    }
    if (live.type !== "thinking.delta" || reasoning === "hidden") return [];
    this.#thought += live.text;
    return this.#said("agent_thought_chunk", live.text);
  }

  /** @param past The conversation is told again; the editor does not have the person's own words. */
  onFact(fact: Fact, past = false): readonly SessionUpdate[] {
    switch (fact.type) {
      case "message.added":
        return fact.origin === "system" || (fact.origin === "person" && !past)
          ? []
          : fact.parts.map((part) => ({ sessionUpdate: "user_message_chunk", content: blockOf(part) }));
      case "model.asked":
        this.#begin(fact.requestId);
        return [];
      case "model.answered":
        return this.#answered(fact);
      case "model.failed":
        this.#begin("");
        return [];
      case "tool.called":
        return this.#called(fact, past);
      case "tool.started":
        return past ? [] : [{ sessionUpdate: "tool_call_update", toolCallId: fact.callId, status: "in_progress" }];
      case "tool.settled": {
        const call = this.#ports.calls.end(fact.callId);
        return call === undefined
          ? []
          : [
              {
                sessionUpdate: "tool_call_update",
                toolCallId: fact.callId,
                status: fact.outcome.kind === "ok" ? "completed" : "failed",
                ...endedCall(call, fact.outcome, this.#ports.cwd),
              },
            ];
      }
      case "state.set": {
        const entries = planOf(fact);
        return entries === undefined ? [] : [{ sessionUpdate: "plan", entries }];
      }
      case "session.titled":
        return [{ sessionUpdate: "session_info_update", title: fact.title }];
      case "context.compacted":
        return this.#said("agent_thought_chunk", "The conversation was long: a summary stands for its beginning now.");
      case "turn.ended":
        return past && fact.reason !== "done"
          ? this.#said("agent_message_chunk", `*The turn ended: ${fact.detail ?? fact.reason}*`)
          : [];
      default:
        return [];
    }
  }

  #begin(requestId: string): void {
    this.#request = requestId;
    this.#streamed = this.#thought = "";
  }

  /** What of an answer has not been streamed. */
  #answered({ requestId, parts }: Extract<Fact, { readonly type: "model.answered" }>): readonly SessionUpdate[] {
    this.#request = requestId;
    const thought = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
    const words = textOf(parts);
    const rest = [
      ...(this.#ports.display().reasoning === "hidden"
        ? []
        : this.#said("agent_thought_chunk", restOf(thought, this.#thought))),
      ...this.#said("agent_message_chunk", restOf(words, this.#streamed)),
    ];
    this.#begin(requestId);
    return rest;
  }

  /** A call that runs again after an interruption is the same card. */
  #called(fact: Extract<Fact, { readonly type: "tool.called" }>, past: boolean): readonly SessionUpdate[] {
    const { calls, cwd } = this.#ports;
    const known = calls.get(fact.callId) !== undefined;
    const card = { ...beganCall(calls.begin(fact, past), cwd), status: "pending" as const };
    return [known ? { sessionUpdate: "tool_call_update", ...card } : { sessionUpdate: "tool_call", ...card }];
  }

  #said(sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", text: string): readonly SessionUpdate[] {
    if (text === "") return [];
    const messageId =
      this.#request === ""
        ? {}
        : { messageId: sessionUpdate === "agent_message_chunk" ? this.#request : `${this.#request}:thought` };
    return [{ sessionUpdate, content: { type: "text", text }, ...messageId }];
  }
}

/** What was streamed and is not the beginning of the whole was something else: the whole is said. */
function restOf(whole: string, streamed: string): string {
  return whole.startsWith(streamed) ? whole.slice(streamed.length) : whole;
}

function blockOf(part: Part): ContentBlock {
  return part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image", mimeType: part.mediaType, data: part.data };
}
