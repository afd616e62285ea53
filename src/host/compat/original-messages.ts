import type { Recorded } from "../../contract/conversation/fact.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { textOf } from "../../contract/conversation/part.ts";
import { shownOf } from "../../contract/tools/outcome.ts";

const EMPTY = {
  content: null,
  tool_call_id: null,
  tool_calls: null,
  tool_name: null,
  effect_disposition: null,
  token_count: null,
  finish_reason: null,
  reasoning: null,
  reasoning_content: null,
  reasoning_details: null,
  codex_reasoning_items: null,
  codex_message_items: null,
  platform_message_id: null,
  observed: 0,
  active: 1,
  compacted: 0,
  api_content: null,
} as const;

const FINISH = { stop: "stop", "tool-calls": "tool_calls", length: "length", filter: "content_filter" } as const;

/**
 * The messages of a session as rows of the original's table `messages`: an answer and its calls are one row. Its `id`
 * is the place of the fact in the session; `timestamp` is in seconds.
 */
export async function originalMessages(
  sessionId: string,
  facts: AsyncIterable<Recorded>,
): Promise<readonly JsonObject[]> {
  const rows: { readonly seq: number; readonly row: { [column: string]: unknown } }[] = [];
  const tools = new Map<string, string>();
  for await (const { seq, at, fact } of facts) {
    const add = (row: { readonly [column: string]: unknown }): void =>
      void rows.push({ seq, row: { id: seq, session_id: sessionId, ...EMPTY, timestamp: at / 1000, ...row } });
    switch (fact.type) {
      case "message.added":
        add({ role: "user", content: textOf(fact.parts) });
        break;
      case "model.answered":
        add({ role: "assistant", content: textOf(fact.parts), finish_reason: FINISH[fact.finish] });
        break;
      case "tool.called": {
        // A call that a tool made is no part of the conversation.
        if (fact.parentCallId !== undefined) break;
        tools.set(fact.callId, fact.tool);
        const call = {
          id: fact.callId,
          type: "function",
          function: { name: fact.tool, arguments: JSON.stringify(fact.args ?? {}) },
        };
        const answer = rows.at(-1)?.row;
        if (answer?.["role"] === "assistant")
          answer["tool_calls"] = [...((answer["tool_calls"] ?? []) as readonly object[]), call];
        else add({ role: "assistant", content: "", tool_calls: [call] });
        break;
      }
      case "tool.settled": {
        const tool = tools.get(fact.callId);
        if (tool !== undefined)
          add({ role: "tool", content: textOf(shownOf(fact.outcome)), tool_call_id: fact.callId, tool_name: tool });
        break;
      }
      case "turns.undone":
        rows.splice(rows.findIndex((one) => one.seq >= fact.from) >>> 0);
        break;
      default:
    }
  }
  return rows.map(({ row }) => row as JsonObject);
}
