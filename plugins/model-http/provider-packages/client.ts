import {
  ToolFailure,
  wellFormedCalls,
  type ModelEvent,
  type ModelFailure,
  type ModelRequest,
} from "hermes-agent/plugin";
import type { ChatService } from "../chat-completions/providers.ts";
import { usedCallIds } from "../wire/call-ids.ts";
import { askedOf, lackOfKey, type WireModule } from "../wire/connection.ts";
import { failureOf, type Asked } from "../wire/failure.ts";
import { brokenAnswer, BrokenStream } from "../wire/server-sent-events.ts";
import { cancelled, StreamComplaint } from "../wire/stream-answer.ts";
import { CHAT_COMPLETIONS } from "./chat-completions.ts";
import { GEMINI } from "./gemini.ts";
import { MESSAGES } from "./messages.ts";
import { namedPackage } from "./named-package.ts";
import { PackageAnswer, troubleOf } from "./package-answer.ts";
import { packageFetch, RequestFailed, type PackageWay } from "./package-fetch.ts";
import { RESPONSES } from "./responses.ts";
import type { PackageConnection, Speaker } from "./speaker.ts";
import type { PackageWire } from "./wire-by-package.ts";

/** @param load Rejects with advice if a package is not installed. */
export function clientByPackage(wire: PackageWire, load: (name: string) => Promise<unknown>): WireModule<ChatService> {
  const speaker =
    typeof wire === "string"
      ? SPEAKERS[wire]
      : (Object.values(SPEAKERS).find((one) => one.package === wire.package) ?? namedPackage(wire.package));
  return {
    stream: (connection, request, signal) => stream(speaker, { ...connection, load }, request, signal),
    listModels: (connection, signal) => speaker.listModels(connection, signal),
    prepare: async () => void (await load(speaker.package)),
  };
}

const SPEAKERS: { readonly [wire in Extract<PackageWire, string>]: Speaker } = {
  chat_completions: CHAT_COMPLETIONS,
  anthropic_messages: MESSAGES,
  codex_responses: RESPONSES,
  gemini_generate_content: GEMINI,
};

/** Streams one answer. Ends with exactly one `end`; never throws for the service's or the network's sake. */
async function* stream(
  speaker: Speaker,
  connection: PackageConnection,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const asked = askedOf(connection, request.model);
  const failure = signal.aborted ? cancelled(asked) : await lackOfKey(connection, asked);
  if (failure !== undefined) {
    yield { type: "end", kind: "failure", failure };
    return;
  }
  for (;;) {
    using way = packageFetch(speaker, connection, request, asked, signal);
    let shown = false;
    try {
      for await (const event of answerOf(speaker, connection, request, way)) {
        shown ||= event.type !== "alive";
        yield event;
      }
      return;
    } catch (error) {
      if (way.refusal && !shown && !signal.aborted) continue;
      yield { type: "end", kind: "failure", failure: judge(error, { way, asked, signal, package: speaker.package }) };
      return;
    }
  }
}

async function* answerOf(
  speaker: Speaker,
  connection: PackageConnection,
  request: ModelRequest,
  way: PackageWay,
): AsyncGenerator<ModelEvent> {
  const baseURL = speaker.address(connection);
  // Our own sender reports an invalid URL.
  if (!URL.canParse(baseURL)) await way.fetch(baseURL, { body: "{}" });
  const model = speaker.model(await connection.load(speaker.package), {
    baseURL,
    model: request.model,
    fetch: way.fetch,
  });
  const answer = new PackageAnswer({
    from: connection.row.id,
    keep: speaker.keep,
    usedIds: usedCallIds(request),
    requestChars: () => way.requestChars,
  });
  const { stream: parts } = await model.doStream(speaker.options(request, connection));
  for await (const part of parts) {
    const events = answer.take(part);
    if (events.length === 0) yield { type: "alive" };
    for (const event of events) yield event;
  }
  yield wellFormedCalls(answer.end());
}

function judge(
  error: unknown,
  {
    way,
    asked,
    signal,
    package: name,
  }: { readonly way: PackageWay; readonly asked: Asked; readonly signal: AbortSignal; readonly package: string },
): ModelFailure {
  if (signal.aborted) return cancelled(asked);
  if (error instanceof ToolFailure)
    return {
      code: "bad_request",
      message: error.hint === undefined ? error.message : `${error.message} ${error.hint}`,
      retryable: false,
    };
  if (error instanceof RequestFailed) return error.failure;
  if (way.trouble !== undefined) return way.trouble;
  // Some packages wait for the first events and throw the service's error.
  const message = error instanceof Error && error.name === "AI_APICallError" ? troubleOf(error) : error;
  if (message instanceof StreamComplaint) return failureOf(message.complaint, asked);
  if (message instanceof BrokenStream)
    return { code: "bad_response", message: brokenAnswer(asked.service, message), retryable: true };
  if (!(error instanceof Error)) throw error;
  if (!error.name.startsWith("AI_"))
    return {
      code: "bad_response",
      message: `${asked.service}: the package ${name} failed: ${error.message}.`,
      retryable: true,
    };
  // The package cannot parse the answer or build the request.
  const unread = /InvalidResponseData|TypeValidation|JSONParse|EmptyResponseBody/.test(error.name);
  return {
    code: unread ? "bad_response" : "bad_request",
    message: `${asked.service}: ${unread ? "the answer cannot be read" : error.message} (${error.name}).`,
    retryable: unread,
  };
}
