import type { Dialect, ModelScript, ModelServer } from "./script.ts";
import { pieces, serve, serveFromCommandLine } from "./serve.ts";
import { definedFields } from "../../src/contract/common/defined-fields.ts";

/** A loopback server that speaks Gemini's own protocol. */
export function startGeminiServer(script: ModelScript, port = 0): Promise<ModelServer> {
  return serve(GEMINI, "/v1beta", script, port);
}

const STATUS: { readonly [status: number]: string } = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

const GEMINI: Dialect = {
  path: ":streamGenerateContent",
  models: { models: [{ name: "models/gemini-loopback", supportedGenerationMethods: ["generateContent"] }] },
  error: (code, message) => ({ error: { code, message, status: STATUS[code] ?? "INTERNAL" } }),
  events(reply, number) {
    const size = reply.deltaChars ?? 4;
    const { inputTokens = 100, outputTokens = 10, cacheReadTokens = 0 } = reply.usage ?? {};
    const chunk = (parts: readonly object[], more: object = {}, usage: object = {}): string =>
      `data: ${JSON.stringify({ candidates: [{ content: { role: "model", parts }, index: 0, ...more }], usageMetadata: { promptTokenCount: inputTokens, ...usage }, modelVersion: "gemini-loopback", responseId: `r${number}` })}`;
    return [
      ...pieces(reply.thinking ?? "", size).map((text) => chunk([{ text, thought: true }])),
      ...pieces(reply.text ?? "", size).map((text) => chunk([{ text }])),
      ...(reply.calls ?? []).map(({ id, tool, args }, index) =>
        chunk([
          definedFields({
            functionCall: {
              id: id ?? `call_${number}_${index + 1}`,
              name: tool,
              args: typeof args === "string" ? JSON.parse(args) : args,
            },
            thoughtSignature: index === 0 ? `signed-${number}` : undefined,
          }),
        ]),
      ),
      ...(reply.withoutEnd === true
        ? []
        : [
            chunk(
              [],
              { finishReason: reply.finish ?? "STOP" },
              {
                candidatesTokenCount: outputTokens,
                cachedContentTokenCount: cacheReadTokens,
                totalTokenCount: inputTokens + outputTokens,
              },
            ),
          ]),
    ];
  },
};

if (import.meta.main) await serveFromCommandLine(startGeminiServer);
