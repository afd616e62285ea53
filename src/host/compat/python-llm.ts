import type { ChatMessage } from "../../contract/conversation/chat-message.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { ModelEnd, ModelRequest, ToolOffer } from "../../contract/providers/model.ts";
import { textOf, type AnswerPart } from "../../contract/conversation/part.ts";
import { NO_USAGE } from "../../contract/common/usage.ts";
import { canonicalText } from "../../engine/arguments/canonical-json.ts";
import { chatForm, restoreMessages } from "../../engine/transcript/chat-form.ts";
import { usageOf } from "./python-usage.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

type Answer = Extract<ModelEnd, { kind: "answer" }>;

/** Why an answer ended, in the terms of chat completions. */
export const FINISH = { stop: "stop", "tool-calls": "tool_calls", length: "length", filter: "content_filter" } as const;

/** A request in the format of OpenAI's chat completions, which Python plugins know; text only. */
export function requestForPython(request: ModelRequest): JsonObject {
  const { model, system, tools, messages, maxOutputTokens, temperature, toolChoice } = request;
  return definedFields({
    model,
    messages: [{ role: "system", content: system }, ...messages.flatMap(chatForm)] as unknown as Json,
    tools: tools.length === 0 ? undefined : (tools.map(toolForm) as unknown as Json),
    tool_choice: toolChoice,
    max_tokens: maxOutputTokens,
    temperature,
  });
}

/** The request with what a plugin changed; everything else, such as images, stays the same. */
export function requestForAgent(changed: JsonObject, request: ModelRequest): ModelRequest {
  const given = requestForPython(request);
  const same = (name: string): boolean => canonicalText(changed[name] ?? null) === canonicalText(given[name] ?? null);
  if (["model", "messages", "tools", "max_tokens", "temperature"].every(same)) return request;
  const { model, messages, tools, max_tokens, temperature } = changed;
  const chats = (Array.isArray(messages) ? messages : []) as unknown as readonly ChatMessage[];
  const rest = chats.findIndex(({ role }) => role !== "system");
  const from = rest === -1 ? chats.length : rest;
  return {
    ...request,
    ...definedFields({ model: typeof model === "string" ? model : undefined }),
    ...(same("messages") || chats.length === 0
      ? {}
      : {
          system: chats
            .slice(0, from)
            .map(({ content }) => content)
            .join("\n\n"),
          messages: restoreMessages(chats.slice(from), request.messages),
        }),
    ...definedFields({
      tools: same("tools") ? undefined : (Array.isArray(tools) ? tools : []).flatMap(offerOf),
      maxOutputTokens: typeof max_tokens === "number" ? max_tokens : undefined,
      temperature: typeof temperature === "number" ? temperature : undefined,
    }),
  };
}

function toolForm({ name, description, parameters }: ToolOffer): object {
  return { type: "function", function: { name, description, parameters } };
}

function offerOf(tool: Json): readonly ToolOffer[] {
  const { name, description, parameters } = ((tool as JsonObject | null)?.["function"] ?? {}) as JsonObject;
  return typeof name === "string"
    ? [
        {
          name,
          description: String(description ?? ""),
          parameters: (parameters ?? { type: "object", properties: {} }) as ToolOffer["parameters"],
        },
      ]
    : [];
}

/** An answer as the original's middleware gets it: a chat completion. */
export function endForPython({ parts, finish, usage, model }: Answer, asked: string, id: string): JsonObject {
  const calls = parts.flatMap((part) =>
    part.type === "tool-call"
      ? [{ id: part.callId, type: "function", function: { name: part.tool, arguments: part.args } }]
      : [],
  );
  const content = textOf(parts.filter(({ type }) => type === "text"));
  return {
    id,
    object: "chat.completion",
    model: model ?? asked,
    choices: [
      {
        index: 0,
        finish_reason: FINISH[finish],
        message: { role: "assistant", content, tool_calls: calls.length === 0 ? null : calls, refusal: null },
      },
    ],
    usage: usageOf(usage),
  };
}

/** Reads the value that a middleware returned: the model's own answer, or one that the middleware changed or made. */
export function endForAgent(
  answer: Json,
  inner: { readonly end: ModelEnd; readonly shown: JsonObject | undefined } | undefined,
): ModelEnd {
  if (inner !== undefined && (answer === null || canonicalText(answer) === canonicalText(inner.shown ?? null)))
    return inner.end;
  const choice = ((answer as { readonly choices?: readonly JsonObject[] } | null)?.choices ?? [])[0];
  const message = choice?.["message"] as
    | { readonly content?: Json; readonly tool_calls?: readonly JsonObject[] | null }
    | undefined;
  const text = typeof answer === "string" ? answer : typeof message?.content === "string" ? message.content : "";
  const calls = (message?.tool_calls ?? []).flatMap((call): readonly AnswerPart[] => {
    const { name, arguments: args } = (call["function"] ?? {}) as JsonObject;
    return typeof name === "string"
      ? [
          {
            type: "tool-call",
            callId: String(call["id"] ?? name),
            tool: name,
            args: typeof args === "string" ? args : JSON.stringify(args ?? {}),
          },
        ]
      : [];
  });
  if (message === undefined && typeof answer !== "string")
    return {
      type: "end",
      kind: "failure",
      failure: {
        code: "bad_response",
        message: "A plugin's llm_execution middleware returned something that is not a model answer.",
        retryable: false,
      },
    };
  const saved = inner?.end.kind === "answer" ? inner.end : undefined;
  const output = choice?.["finish_reason"];
  return {
    type: "end",
    kind: "answer",
    // A provider requires its own thinking before the calls that followed from it.
    parts: [
      ...(saved?.parts.filter(({ type }) => type === "reasoning") ?? []),
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...calls,
    ],
    finish:
      output === "length"
        ? "length"
        : output === "content_filter"
          ? "filter"
          : calls.length > 0
            ? "tool-calls"
            : "stop",
    usage: saved?.usage ?? NO_USAGE,
    model: saved?.model,
  };
}
