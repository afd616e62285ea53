import type { JsonObject, ModelFailure, ModelRequest } from "hermes-agent/plugin";
import { bodyText, headersOf } from "../wire/connection.ts";
import { failureOf, readComplaint, type Asked } from "../wire/failure.ts";
import { connectionFailure, send, type WireReply } from "../wire/http.ts";
import { brokenAnswer, BrokenStream, EventReader, type ServerSentEvent } from "../wire/server-sent-events.ts";
import { cancelled } from "../wire/stream-answer.ts";
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
  const close = (keep: boolean): void => {
    open?.release(keep);
    open = undefined;
  };
  return {
    get trouble() {
      return trouble;
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
          { ...speaker.body(body, request, connection), ...connection.settings.options },
          request.sessionId,
        );
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
        if (result.reply.status === 200) {
          open = result.reply;
          return new Response(
            streamOf(result.reply, (error) => (trouble = troubleOf(error, asked, url)), close),
            { status: 200, headers: { "content-type": String(result.reply.headers["content-type"] ?? "") } },
          );
        }
        const complaint = await readComplaint(result.reply);
        if (signal.aborted) throw new RequestFailed(cancelled(asked));
        const failure = failureOf(complaint, asked);
        const repaired =
          tries < MAX_TRIES
            ? speaker.repaired?.(body, { sent: JSON.parse(text) as JsonObject, complaint, failure, connection })
            : undefined;
        if (repaired === undefined) throw new RequestFailed(failure);
        body = repaired;
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
  broken: (error: unknown) => void,
  close: (keep: boolean) => void,
): ReadableStream<Uint8Array> {
  const events = new EventReader();
  const pieces = reply.body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        const read = done === true ? events.end() : events.push(value);
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
  if (error instanceof BrokenStream)
    return { code: "bad_response", message: brokenAnswer(asked.service, error), retryable: true };
  return connectionFailure(asked, new URL(url), error).failure;
}
