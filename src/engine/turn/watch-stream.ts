import type { Clock } from "../../contract/common/clock.ts";
import type { ModelClient, ModelDelta, ModelEnd, ModelFailure, ModelRequest } from "../../contract/providers/model.ts";

export interface StreamWatch {
  readonly clock: Clock;
  readonly limits: { readonly firstEventMs: number; readonly betweenEventsMs: number; readonly totalMs: number };
  readonly signal: AbortSignal;
  /** Never called after the stream's end. */
  onDelta(event: ModelDelta): void;
}

/** How often the silence limit a service may go on with signs of life that bring nothing. */
const IDLE_LIMITS = 2;
/** An answer of more characters than this is a model gone wrong. */
const MAX_CHARS = 32_000_000;
/** One for all: an abort without a reason makes an error with a stack each time. */
const OVER = new Error("The stream has ended.");

/**
 * Reads one stream to its end and gives exactly that end: a client that throws, stops without one, falls silent, floods
 * or ignores its signal ends as a failure, at once and never later than the limits.
 */
export async function watchStream(client: ModelClient, request: ModelRequest, watch: StreamWatch): Promise<ModelEnd> {
  const { clock, limits, signal } = watch;
  if (signal.aborted) return failed("cancelled", "The request was cancelled before it was sent.", false);
  const stop = new AbortController();
  const ended = Promise.withResolvers<ModelEnd>();
  let over = false;
  let alarm: Disposable | undefined;
  const end = (with_: ModelEnd) => {
    if (over) return;
    over = true;
    alarm?.[Symbol.dispose]();
    signal.removeEventListener("abort", cancel);
    stop.abort(OVER);
    ended.resolve(with_);
  };
  const cancel = () => end(failed("cancelled", "The request was cancelled.", false));
  signal.addEventListener("abort", cancel);

  const startedAt = clock.elapsed();
  let receivedAt: number | undefined;
  /** Time of the last event that contained part of an answer. */
  let broughtAt: number | undefined;
  let chars = 0;
  // One timer that looks again when it rings costs less than one timer an event.
  const guard = () => {
    const silentAt = receivedAt === undefined ? startedAt + limits.firstEventMs : receivedAt + limits.betweenEventsMs;
    const totalAt = startedAt + limits.totalMs;
    const idleAt =
      IDLE_LIMITS * (broughtAt === undefined ? limits.firstEventMs : limits.betweenEventsMs) + (broughtAt ?? startedAt);
    const leftMs = Math.min(silentAt, idleAt, totalAt) - clock.elapsed();
    // The limit between events may be the shorter one, and the first event does not wake this timer.
    if (leftMs > 0)
      alarm = clock.alarm(receivedAt === undefined ? Math.min(leftMs, limits.betweenEventsMs) : leftMs, guard);
    else if (totalAt <= silentAt && totalAt <= idleAt)
      end(failed("timeout", `The model did not finish its answer within ${seconds(limits.totalMs)}.`, true));
    else if (idleAt < silentAt && idleAt < totalAt)
      end(
        failed(
          "timeout",
          `The model sent only keep-alive signals for ${seconds(idleAt - (broughtAt ?? startedAt))}.`,
          true,
        ),
      );
    else if (receivedAt === undefined)
      end(failed("timeout", `The model sent nothing for ${seconds(limits.firstEventMs)} after the request.`, true));
    else end(failed("timeout", `The model sent nothing more for ${seconds(limits.betweenEventsMs)}.`, true));
  };
  guard();

  const read = async () => {
    for await (const event of client.stream(request, stop.signal)) {
      if (over) return;
      receivedAt = clock.elapsed();
      if (event.type !== "alive" || event.idle !== true) broughtAt = receivedAt;
      if (event.type === "end")
        return end(
          event.kind === "answer" && !Array.isArray(event.parts)
            ? failed("bad_response", "The model client gave an answer without parts.", false)
            : event,
        );
      if (event.type === "alive") continue;
      chars += event.type === "call.delta" ? 1 : event.text.length;
      if (chars > MAX_CHARS)
        return end(failed("bad_response", `The answer is longer than ${MAX_CHARS} characters.`, false));
      watch.onDelta(event);
    }
    end(failed("bad_response", "The stream ended before the answer did.", true));
  };
  read().catch((cause: unknown) => end(thrown(cause)));
  return ended.promise;
}

/**
 * A client should not throw; when it does because of the network, trying again helps, otherwise it is a bug that stays.
 */
function thrown(cause: unknown): ModelEnd {
  const message = cause instanceof Error ? cause.message : String(cause);
  const codes = [cause, cause instanceof Error ? cause.cause : undefined].map((error) =>
    typeof error === "object" && error !== null && "code" in error ? String(error.code) : "",
  );
  const network =
    codes.some((code) => /^(E[A-Z]{3,}|UND_)/.test(code) && !code.startsWith("ERR_")) ||
    message === "terminated" ||
    message === "fetch failed";
  return network
    ? failed("network", `The connection to the model failed: ${message}`, true)
    : failed("bad_response", `The model client failed: ${message}`, false);
}

function failed(code: ModelFailure["code"], message: string, retryable: boolean): ModelEnd {
  return { type: "end", kind: "failure", failure: { code, message, retryable } };
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
}
