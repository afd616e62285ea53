import type { JsonObject } from "../../../contract/common/json.ts";
import { ApiFailure, wrongRequest } from "../http/api-failure.ts";
import type { ApiAnswer, ApiAsked, ApiRoute } from "../http/api-route.ts";
import { sessionIdOf } from "../chat/chat-request.ts";
import type { EventStream } from "../http/event-stream.ts";
import { readConversation } from "../chat/read-conversation.ts";
import type { RunEvent } from "./run-events.ts";
import type { Runs, RunRequest } from "./runs.ts";

const STOPPED = "An API client stopped the run.";

/** `/v1/runs`: separate requests start, watch, approve and stop a turn. */
export function runRoutes(runs: Runs): readonly ApiRoute[] {
  return [
    {
      at: "POST /v1/runs",
      async answer({ body, headers }) {
        const run = await runs.start(readRequest(body, headers["x-hermes-session-id"]));
        return {
          kind: "json",
          status: 202,
          headers: { "x-hermes-session-id": run.sessionId },
          value: { run_id: run.id, session_id: run.sessionId, status: "started" },
        };
      },
    },
    {
      at: "GET /v1/runs/:run_id",
      async answer({ params: [id = ""] }) {
        const found = await runs.find(id);
        return { kind: "json", value: "run" in found ? found.run.object : found.object };
      },
    },
    { at: "GET /v1/runs/:run_id/events", answer: (asked) => eventsOf(runs, asked) },
    {
      at: "POST /v1/runs/:run_id/approval",
      async answer({ params: [id = ""], body }) {
        const found = await runs.find(id);
        if (!("turn" in found))
          throw new ApiFailure("This run has ended; no approval is pending.", {
            status: 409,
            code: "approval_not_active",
          });
        return {
          kind: "json",
          value: { object: "hermes.run.approval_response", run_id: id, ...found.run.approvals.decide(body) },
        };
      },
    },
    {
      at: "POST /v1/runs/:run_id/stop",
      async answer({ params: [id = ""] }) {
        const found = await runs.find(id);
        if (!("turn" in found))
          return {
            kind: "json",
            value: { run_id: id, status: "run" in found ? found.run.status : (found.end?.status ?? "stopping") },
          };
        found.run.stopping();
        found.turn?.stop(STOPPED);
        return { kind: "json", value: { run_id: id, status: "stopping" } };
      },
    },
  ];
}

/** Streams events from the beginning, or after the last one that the client read. */
async function eventsOf(runs: Runs, { params: [id = ""], headers, query, gone }: ApiAsked): Promise<ApiAnswer> {
  const found = await runs.find(id);
  const from = Number(headers["last-event-id"] ?? query.get("after") ?? 0);
  const after = Number.isSafeInteger(from) && from > 0 ? from : 0;
  const report = (stream: EventStream, { id: number, name, fields, at }: RunEvent): void =>
    stream.data({ event: name, run_id: id, timestamp: at / 1000, ...fields }, { id: number });
  return {
    kind: "events",
    async write(stream) {
      if ("run" in found) for await (const event of found.run.events.after(after, gone)) report(stream, event);
      // For a run of an earlier process, the session's facts say how it ended.
      else if (found.end !== undefined)
        report(stream, {
          id: after + 1,
          name: `run.${found.end.status}`,
          fields: { output: found.end.output, usage: found.end.usage ?? null, error: found.end.error ?? null },
          at: found.at,
        });
      stream.comment("stream closed");
    },
  };
}

/** @throws {ApiFailure} */
function readRequest(body: JsonObject, header: unknown): RunRequest {
  const { input, instructions, conversation_history: history, session_id: named, model } = body;
  if (body["previous_response_id"] !== undefined && body["previous_response_id"] !== null)
    throw wrongRequest(
      '"previous_response_id" belongs to the Responses API, which this server does not support. Use "session_id" to continue a session.',
      "previous_response_id",
      "unsupported_parameter",
    );
  if (instructions !== undefined && instructions !== null && typeof instructions !== "string")
    throw wrongRequest('"instructions" must be a string.', "instructions");
  if (history !== undefined && history !== null && !Array.isArray(history))
    throw wrongRequest('"conversation_history" must be a list of messages.', "conversation_history");
  if (typeof input !== "string" && !Array.isArray(input))
    throw wrongRequest('"input" must be a string or a list of messages.', "input");
  const text = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const system =
    typeof instructions === "string" && instructions.trim() !== "" ? [{ role: "system", content: instructions }] : [];
  return {
    sent: readConversation([...system, ...(history ?? []), ...text], "input"),
    model: typeof model === "string" && model !== "" ? model : undefined,
    sessionId: sessionIdOf(named, '"session_id"') ?? sessionIdOf(header, "X-Hermes-Session-Id"),
  };
}
