import type { JsonObject, ModelFailure, ModelRequest } from "hermes-agent/plugin";
import { bodyText, headersOf, refusedBy } from "../wire/connection.ts";
import { complaintOf, readComplaint, type Complaint } from "../wire/complaint.ts";
import { failureOf, type Asked } from "../wire/failure.ts";
import { connectionFailure, send, type WireReply } from "../wire/http.ts";
import { brokenAnswer, BrokenStream, EventReader, type ServerSentEvent } from "../wire/server-sent-events.ts";
import { learnsRefusal } from "../wire/refused-fields.ts";
import { cancelled, StreamComplaint } from "../wire/stream-answer.ts";
import { withoutRefused } from "../wire/without-refused.ts";
import { wholeOf } from "./whole-answer.ts";
import { KEY, type PackageConnection, type Speaker } from "./speaker.ts";
import { definedFields } from "hermes-agent/plugin";

/** A request without a readable answer, with the known failure. */
export class RequestFailed extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The `fetch` of a package for one request: our own sender, with our key, only to the configured service. */
export interface PackageWay extends Disposable {
  readonly fetch: typeof fetch;
  /** The real failure of the answer, because the package reports its own error for it. */
  readonly trouble: ModelFailure | undefined;
  readonly requestChars: number;
  /** The answer was a refusal of a field, which the next request omits. */
  readonly refusal: boolean;
}

const MAX_TRIES = 4;

export function packageFetch(
  speaker: Speaker,
  connection: PackageConnection,
  request: ModelRequest,
  asked: Asked,
  signal: AbortSignal,
): PackageWay {
  let open: WireReply | undefined;
  let trouble: ModelFailure | undefined;
  let requestChars = 0;
  let refusal = false;
  const close = (keep: boolean): void => {
    open?.release(keep);
    open = undefined;
  };
  return {
    get trouble() {
      return trouble;
    },
    get refusal() {
      return refusal;
    },
    get requestChars() {
      return requestChars;
    },
    async fetch(input, init) {
      const url = input instanceof Request ? input.url : String(input);
      const own = speaker.headers?.(connection, request.sessionId);
      const key = own === undefined && isOf(url, speaker.address(connection)) ? asked.key : undefined;
      const headers = headersFor(init?.headers, own ?? {}, connection, key);
      let body = JSON.parse(String(init?.body)) as JsonObject;
      for (let tries = 1; ; tries++) {
        const text = await bodyText(
          connection,
          withoutRefused(
            { ...speaker.body(body, request, connection), ...connection.settings.options },
            refusedBy(connection, request.model),
            speaker.wire,
          ),
          request.sessionId,
        );
        const sent = JSON.parse(text) as JsonObject;
        const learns = (complaint: Complaint): boolean =>
          learnsRefusal(connection, complaint, { asked, sent, wire: speaker.wire });
        requestChars = text.length;
        const result = await send({
          service: asked.service,
          method: "POST",
          url,
          headers,
          body: text,
          connectMs: request.connectMs ?? 30_000,
          signal,
          proxy: connection.proxy,
        });
        if (result.kind === "failure") throw new RequestFailed(result.failure);
        let complaint: Complaint | undefined;
        if (result.reply.status === 200) {
          open = result.reply;
          const read = await wholeOf(result.reply).catch((error: unknown) => {
            close(false);
            throw new RequestFailed(signal.aborted ? cancelled(asked) : troubleOf(error, asked, url));
          });
          complaint = read.complaint;
          if (complaint === undefined)
            return new Response(
              read.events ??
                streamOf({ ...result.reply, body: read.body }, close, (error) => {
                  refusal = error instanceof StreamComplaint && learns(error.complaint);
                  trouble = troubleOf(error, asked, url);
                }),
              {
                status: 200,
                headers: {
                  "content-type":
                    read.events === undefined
                      ? String(result.reply.headers["content-type"] ?? "")
                      : "text/event-stream",
                },
              },
            );
          close(true);
        }
        complaint ??= await readComplaint(result.reply);
        if (signal.aborted) throw new RequestFailed(cancelled(asked));
        const repaired = tries < MAX_TRIES ? speaker.repaired?.(body, { sent, complaint }) : undefined;
        if (repaired === undefined && !learns(complaint)) throw new RequestFailed(failureOf(complaint, asked));
        body = repaired ?? body;
      }
    },
    [Symbol.dispose]: () => close(false),
  };
}

/** Headers of the package, then ours, then configured ones. Beta headers of both are merged. */
function headersFor(
  given: RequestInit["headers"],
  own: { readonly [name: string]: string },
  connection: PackageConnection,
  key: string | undefined,
): Record<string, string> {
  const packages = Object.fromEntries(
    [...new Headers(given)].flatMap(([name, value]) =>
      name === "user-agent"
        ? []
        : !value.includes(KEY)
          ? [[name, value]]
          : key === undefined
            ? []
            : [[name, value.replaceAll(KEY, key)]],
    ),
  );
  const betas = [packages["anthropic-beta"], own["anthropic-beta"]].filter((beta) => beta !== undefined && beta !== "");
  return headersOf(connection, {
    ...packages,
    ...own,
    ...definedFields({ "anthropic-beta": betas.length === 0 ? undefined : betas.join(",") }),
  });
}

/** Whether a URL is the configured service's: a request elsewhere would leak the key. */
function isOf(url: string, address: string): boolean {
  return URL.canParse(url) && URL.canParse(address) && new URL(url).origin === new URL(address).origin;
}

/**
 * The reply as the package reads it. Packages accept any bytes as text, so invalid UTF-8 fails here, before a
 * replacement character can get into a command. It ends with the last event, even if the server does not close the
 * connection.
 */
function streamOf(
  reply: WireReply,
  close: (keep: boolean) => void,
  broken: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const events = new EventReader();
  const pieces = reply.body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        const read = done === true ? events.end() : events.push(value);
        for (const { data } of read) refuseComplaint(data);
        if (done !== true) controller.enqueue(value);
        if (done !== true && !read.some(isLast)) return;
        await pieces.return?.();
        close(true);
        controller.close();
      } catch (error) {
        broken(error);
        close(false);
        controller.error(error);
      }
    },
    cancel: () => close(false),
  });
}

/** A package reports an error that it does not know as an answer that it cannot read. */
function refuseComplaint(data: string): void {
  if (!/"(error|errors|base_resp|error_msg|error_message|errmsg|code|detail)"/.test(data)) return;
  const complaint = complaintIn(data);
  if (complaint !== undefined) throw new StreamComplaint(complaint);
}

function complaintIn(data: string): Complaint | undefined {
  try {
    return complaintOf(JSON.parse(data));
  } catch {
    return undefined;
  }
}

function isLast({ event, data }: ServerSentEvent): boolean {
  return (
    data === "[DONE]" ||
    event === "message_stop" ||
    event === "response.completed" ||
    event === "response.incomplete" ||
    event === "response.failed"
  );
}

function troubleOf(error: unknown, asked: Asked, url: string): ModelFailure {
  if (error instanceof StreamComplaint) return failureOf(error.complaint, asked);
  if (error instanceof BrokenStream)
    return { code: "bad_response", message: brokenAnswer(asked.service, error), retryable: true };
  return connectionFailure(asked, new URL(url), error).failure;
}
