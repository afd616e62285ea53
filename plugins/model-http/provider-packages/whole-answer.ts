import type { JsonObject } from "hermes-agent/plugin";
import { complaintOf, type Complaint } from "../wire/complaint.ts";
import type { WireReply } from "../wire/http.ts";
import { readJson } from "../wire/read-json.ts";
import { formOf } from "../wire/reply-form.ts";

/**
 * Reads a reply that is no stream: the provider's error in it, or the answer as the events that the package expects. A
 * stream comes back as `body`, unread.
 */
export async function wholeOf(reply: WireReply): Promise<{
  readonly body: AsyncIterable<Uint8Array>;
  readonly complaint?: Complaint;
  readonly events?: string;
}> {
  const { form, body } = await formOf(reply.body);
  if (form !== "whole") return { body };
  const value = await readJson({ ...reply, body });
  return { body, complaint: complaintOf(value), events: eventsOf(value as JsonObject).join("") };
}

/** An answer that was not streamed, because the service refused to, as a stream of one piece. */
function eventsOf(answer: JsonObject): string[] {
  if (Array.isArray(answer["choices"])) {
    const choices = (answer["choices"] as readonly JsonObject[]).map(({ message, ...choice }) => ({
      ...choice,
      delta: withIndexes((message ?? {}) as JsonObject),
    }));
    return [dataOf({ ...answer, object: "chat.completion.chunk", choices }), "data: [DONE]\n\n"];
  }
  if (answer["object"] === "response" || Array.isArray(answer["output"])) return responsesEvents(answer);
  return [dataOf(answer)];
}

function withIndexes(message: JsonObject): JsonObject {
  const calls = message["tool_calls"];
  if (!Array.isArray(calls)) return message;
  return { ...message, tool_calls: (calls as readonly JsonObject[]).map((call, index) => ({ index, ...call })) };
}

function responsesEvents(response: JsonObject): string[] {
  const events: JsonObject[] = [{ type: "response.created", response }];
  for (const [index, item] of ((response["output"] ?? []) as readonly JsonObject[]).entries()) {
    events.push({ type: "response.output_item.added", output_index: index, item });
    const parts = item["type"] === "message" ? ((item["content"] ?? []) as readonly JsonObject[]) : [];
    for (const [at, part] of parts.entries())
      if (typeof part["text"] === "string")
        events.push({
          type: "response.output_text.delta",
          item_id: item["id"] ?? "",
          output_index: index,
          content_index: at,
          delta: part["text"],
        });
    events.push({ type: "response.output_item.done", output_index: index, item });
  }
  const type = response["status"] === "incomplete" ? "response.incomplete" : "response.completed";
  return [...events, { type, response }].map(dataOf);
}

function dataOf(event: JsonObject): string {
  return `${typeof event["type"] === "string" ? `event: ${event["type"]}\n` : ""}data: ${JSON.stringify(event)}\n\n`;
}
