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

/** Converts events of a session into protocol updates: live, and as a replay when the editor loads the conversation. */
export class SessionUpdates {
  readonly #ports: UpdatePorts;
  /** The current model request: a retried answer is a new message. */
  #request = "";
  #streamed = "";
  #thought = "";

  constructor(ports: UpdatePorts) {
    this.#ports = ports;
  }

  onLive(live: Live): readonly SessionUpdate[] {
    const { streaming, reasoning } = this.#ports.display();
    if (live.type === "tool.progress" || live.type === "subagent.progress")
      return live.text !== "" && this.#ports.calls.get(live.callId) !== undefined
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
      return this.#chunk("agent_message_chunk", live.text);
    }
    if (live.type !== "thinking.delta" || reasoning === "hidden") return [];
    this.#thought += live.text;
    return this.#chunk("agent_thought_chunk", live.text);
  }

  /** @param past This is a replay, so user messages are included. */
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
        return this.#chunk("agent_thought_chunk", "The conversation was long, so a summary replaced its beginning.");
      case "turn.ended":
        return past && fact.reason !== "done"
          ? this.#chunk("agent_message_chunk", `*The turn ended: ${fact.detail ?? fact.reason}*`)
          : [];
      default:
        return [];
    }
  }

  #begin(requestId: string): void {
    this.#request = requestId;
    this.#streamed = this.#thought = "";
  }

  /** The part of an answer that was not streamed. */
  #answered({ requestId, parts }: Extract<Fact, { readonly type: "model.answered" }>): readonly SessionUpdate[] {
    this.#request = requestId;
    const thought = parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
    const words = textOf(parts);
    const rest = [
      ...(this.#ports.display().reasoning === "hidden"
        ? []
        : this.#chunk("agent_thought_chunk", restOf(thought, this.#thought))),
      ...this.#chunk("agent_message_chunk", restOf(words, this.#streamed)),
    ];
    this.#begin(requestId);
    return rest;
  }

  /** A call that runs again after an interruption keeps its card. */
  #called(fact: Extract<Fact, { readonly type: "tool.called" }>, past: boolean): readonly SessionUpdate[] {
    const { calls, cwd } = this.#ports;
    const known = calls.get(fact.callId) !== undefined;
    const card = { ...beganCall(calls.begin(fact, past), cwd), status: "pending" as const };
    return [known ? { sessionUpdate: "tool_call_update", ...card } : { sessionUpdate: "tool_call", ...card }];
  }

  #chunk(sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", text: string): readonly SessionUpdate[] {
    if (text === "") return [];
    const messageId =
      this.#request === ""
        ? {}
        : { messageId: sessionUpdate === "agent_message_chunk" ? this.#request : `${this.#request}:thought` };
    return [{ sessionUpdate, content: { type: "text", text }, ...messageId }];
  }
}

/** The text after the streamed part; the whole text if the streamed part is not its beginning. */
function restOf(whole: string, streamed: string): string {
  return whole.startsWith(streamed) ? whole.slice(streamed.length) : whole;
}

function blockOf(part: Part): ContentBlock {
  return part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image", mimeType: part.mediaType, data: part.data };
}
