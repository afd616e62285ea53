import type { ChatMessage } from "../../contract/conversation/chat-message.ts";
import type { Message, ToolResultPart } from "../../contract/providers/model.ts";
import { textOf, type AnswerPart } from "../../contract/conversation/part.ts";
import { isObjectText } from "./transcript-messages.ts";

/** Messages of the past are the same objects every time. */
const known = new WeakMap<Message, readonly ChatMessage[]>();

/**
 * One message in the words of providers outside the core; results of one answer are a message each. Pictures are left
 * out.
 */
export function chatForm(message: Message): readonly ChatMessage[] {
  let form = known.get(message);
  if (form === undefined) known.set(message, (form = formOf(message)));
  return form;
}

function formOf(message: Message): readonly ChatMessage[] {
  switch (message.role) {
    case "user":
      // Parts apart, as a request has them.
      return [
        {
          role: "user",
          content: message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n"),
        },
      ];
    case "assistant": {
      const calls = message.parts.flatMap((part) =>
        part.type === "tool-call"
          ? [{ id: part.callId, type: "function" as const, function: { name: part.tool, arguments: part.args } }]
          : [],
      );
      const text = message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
      return [{ role: "assistant", content: text, tool_calls: calls.length === 0 ? undefined : calls }];
    }
    case "tool":
      return message.results.map((result) => ({
        role: "tool",
        tool_call_id: result.callId,
        name: result.tool,
        content: textOf(result.parts),
      }));
  }
}

/**
 * External messages in the form that a request may carry: drops calls and results that lost their counterpart, empty
 * messages, and values that are not messages.
 */
export function fromChatForm(given: readonly ChatMessage[]): readonly Message[] {
  const messages: Message[] = [];
  const chats = given.filter((one) => typeof one === "object" && one !== null && typeof one.role === "string");
  for (let at = 0; at < chats.length; at++) {
    const chat = chats[at]!;
    const output: unknown = chat.content;
    const content =
      typeof output === "string" ? output : output === null || output === undefined ? "" : JSON.stringify(output);
    if (chat.role === "tool") continue;
    if (chat.role !== "assistant") {
      if (content.trim() !== "") messages.push({ role: "user", parts: [{ type: "text", text: content }] });
      continue;
    }
    const results = new Map<string, ToolResultPart>();
    for (let next = at + 1; chats[next]?.role === "tool"; next++) {
      const { tool_call_id: callId, name, content: output } = chats[next]!;
      if (typeof callId === "string" && !results.has(callId))
        results.set(callId, {
          callId,
          tool: name ?? "",
          parts: [{ type: "text", text: output || "(no output)" }],
          failed: false,
        });
    }
    const calls = (chat.tool_calls ?? []).filter(({ id }) => results.has(id));
    const parts: AnswerPart[] = [
      ...(content.trim() === "" ? [] : [{ type: "text" as const, text: content }]),
      ...calls.map(({ id, function: { name, arguments: args } }) => ({
        type: "tool-call" as const,
        callId: id,
        tool: name,
        args: isObjectText(args) ? args : "{}",
      })),
    ];
    if (parts.length === 0) continue;
    messages.push({ role: "assistant", parts });
    if (calls.length > 0)
      messages.push({
        role: "tool",
        results: calls.map(({ id, function: { name } }) => ({ ...results.get(id)!, tool: name })),
      });
  }
  return messages;
}

/** As {@link fromChatForm}; what comes back in the words it was given in stands for itself, pictures and all. */
export function restoreMessages(returned: readonly ChatMessage[], originals: readonly Message[]): readonly Message[] {
  const known = new Map<string, { readonly words: readonly string[]; readonly messages: readonly Message[] }[]>();
  for (let at = 0; at < originals.length; at++) {
    // An answer and the results of its calls come back together or not at all.
    const messages = originals[at + 1]?.role === "tool" ? [originals[at]!, originals[++at]!] : [originals[at]!];
    const words = messages.flatMap(chatForm).map(wordsOf);
    known.set(words[0]!, [...(known.get(words[0]!) ?? []), { words, messages }]);
  }
  const restored: Message[] = [];
  let strange: ChatMessage[] = [];
  const words = returned.map(wordsOf);
  for (let at = 0; at < returned.length; at++) {
    const same = known.get(words[at]!) ?? [];
    const found = same.find((unit) => unit.words.every((one, index) => words[at + index] === one));
    if (found === undefined) {
      strange.push(returned[at]!);
      continue;
    }
    if (same.length > 1) same.splice(same.indexOf(found), 1);
    restored.push(...fromChatForm(strange), ...found.messages);
    strange = [];
    at += found.words.length - 1;
  }
  return [...restored, ...fromChatForm(strange)];
}

/** Equal for messages that say the same. */
export function wordsOf({ role, content, tool_calls, tool_call_id }: ChatMessage): string {
  return JSON.stringify([
    role,
    content ?? "",
    (tool_calls ?? []).map((call) => [call.id, call.function?.name, call.function?.arguments]),
    tool_call_id ?? null,
  ]);
}
