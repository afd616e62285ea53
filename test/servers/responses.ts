import type { Dialect, ModelScript, ModelServer, ScriptedReply } from "./script.ts";
import { pieces, serve, serveFromCommandLine } from "./serve.ts";

/** A loopback server that speaks OpenAI Responses. */
export function startResponsesServer(script: ModelScript, port = 0): Promise<ModelServer> {
  return serve(RESPONSES, "/v1", script, port);
}

const RESPONSES: Dialect = {
  path: "/responses",
  models: { object: "list", data: [{ id: "loopback-responses", object: "model" }] },
  error: (status, message) => ({
    error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", param: null, code: null },
  }),
  events(reply, number, model) {
    const items = itemsOf(reply, number);
    const { inputTokens = 100, outputTokens = 10, cacheReadTokens = 0 } = reply.usage ?? {};
    const cut = reply.finish === "max_output_tokens" || reply.finish === "content_filter";
    const usage = {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: cacheReadTokens },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    };
    const response = { id: `resp_${number}`, object: "response", created_at: 1, model };
    let sequence_number = 0;
    const event = (type: string, data: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...data })}`;
    return [
      event("response.created", { response: { ...response, status: "in_progress" } }),
      event("response.in_progress", { response: { ...response, status: "in_progress" } }),
      ...inTurns(
        items.map(({ added, deltas, done }, output_index) => [
          event("response.output_item.added", { output_index, item: added }),
          ...deltas.map(({ type, ...data }) => event(type, { output_index, item_id: added["id"], ...data })),
          event("response.output_item.done", { output_index, item: { ...added, ...done } }),
        ]),
        items.map(({ added }) => added["type"] === "function_call"),
      ),
      ...(reply.withoutEnd === true
        ? []
        : [
            event(cut ? "response.incomplete" : "response.completed", {
              response: {
                ...response,
                status: cut ? "incomplete" : "completed",
                incomplete_details: cut ? { reason: reply.finish } : null,
                usage,
              },
            }),
          ]),
    ];
  },
};

interface Item {
  readonly added: { readonly [key: string]: unknown };
  readonly deltas: readonly { readonly type: string; readonly [key: string]: unknown }[];
  readonly done: object;
}

function itemsOf(reply: ScriptedReply, number: number): readonly Item[] {
  const size = reply.deltaChars ?? 4;
  const { text = "", thinking = "", calls = [] } = reply;
  const message = { type: "message", id: `msg_${number}`, role: "assistant", content: [] };
  const thought = { type: "reasoning", id: `rs_${number}`, summary: [] };
  return [
    ...(thinking === ""
      ? []
      : [
          {
            added: thought,
            deltas: [
              { type: "response.reasoning_summary_part.added", summary_index: 0 },
              ...pieces(thinking, size).map((delta) => ({
                type: "response.reasoning_summary_text.delta",
                summary_index: 0,
                delta,
              })),
              { type: "response.reasoning_summary_part.done", summary_index: 0 },
            ],
            done: { encrypted_content: `encrypted-${number}`, summary: [{ type: "summary_text", text: thinking }] },
          },
        ]),
    ...(text === ""
      ? []
      : [
          {
            added: message,
            deltas: pieces(text, size).map((delta) => ({
              type: "response.output_text.delta",
              content_index: 0,
              delta,
            })),
            done: { content: [{ type: "output_text", text }] },
          },
        ]),
    ...calls.map(({ id, tool, args }, index) => {
      const written = typeof args === "string" ? args : JSON.stringify(args);
      return {
        added: {
          type: "function_call",
          id: `fc_${number}_${index + 1}`,
          call_id: id ?? `call_${number}_${index + 1}`,
          name: tool,
          arguments: "",
        },
        deltas: pieces(written, size).map((delta) => ({ type: "response.function_call_arguments.delta", delta })),
        done: { arguments: written, status: reply.finish === "max_output_tokens" ? "incomplete" : "completed" },
      };
    }),
  ];
}

/**
 * Items that are not calls come first. Calls begin together and their arguments arrive interleaved: the hardest order.
 */
function inTurns(lists: readonly (readonly string[])[], isCall: readonly boolean[]): readonly string[] {
  const alone = lists.filter((_, at) => !isCall[at]).flat();
  const calls = lists.filter((_, at) => isCall[at]);
  const longest = Math.max(0, ...calls.map(({ length }) => length));
  return [
    ...alone,
    ...Array.from({ length: longest }, (_, at) => calls.flatMap((list) => list.slice(at, at + 1))).flat(),
  ];
}

if (import.meta.main) await serveFromCommandLine(startResponsesServer);
