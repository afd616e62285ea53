import type { JsonObject } from "../../../contract/common/json.ts";
import { ApiFailure, wrongRequest } from "../http/api-failure.ts";
import type { ApiAnswer, ApiAsked, ApiRoute } from "../http/api-route.ts";
import { sessionIdOf } from "../chat/chat-request.ts";
import type { EventStream } from "../http/event-stream.ts";
import { readConversation } from "../chat/read-conversation.ts";
import type { RunEvent } from "./run-events.ts";
import type { Runs, RunRequest } from "./runs.ts";

const STOPPED = "It was stopped by a program.";

/** `/v1/runs`: turns that are begun, watched, approved and stopped by requests of their own. */
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
          throw new ApiFailure("This run is over; nothing of it waits for an approval.", {
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

/** As often as somebody reads them: from the beginning, or from after the one that they read last. */
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
      // Of a run of an earlier process its session says how it ended.
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
      '"previous_response_id" is of the Responses API, which is not served here; "session_id" goes on with a session.',
      "previous_response_id",
      "unsupported_parameter",
    );
  if (instructions !== undefined && instructions !== null && typeof instructions !== "string")
    throw wrongRequest('"instructions" must be a text.', "instructions");
  if (history !== undefined && history !== null && !Array.isArray(history))
    throw wrongRequest('"conversation_history" must be a list of messages.', "conversation_history");
  if (typeof input !== "string" && !Array.isArray(input))
    throw wrongRequest('"input" must be a text or a list of messages.', "input");
  const text = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const system =
    typeof instructions === "string" && instructions.trim() !== "" ? [{ role: "system", content: instructions }] : [];
  return {
    sent: readConversation([...system, ...(history ?? []), ...text], "input"),
    model: typeof model === "string" && model !== "" ? model : undefined,
    sessionId: sessionIdOf(named, '"session_id"') ?? sessionIdOf(header, "X-Hermes-Session-Id"),
  };
}
