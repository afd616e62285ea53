import { wellFormedCalls, type ModelEvent, type ModelFailure, type Usage } from "hermes-agent/plugin";
import type { Complaint } from "./complaint.ts";
import type { Asked } from "./failure.ts";
import { connectionFailure, type WireReply } from "./http.ts";
import { formOf } from "./reply-form.ts";
import { readJson } from "./read-json.ts";
import { brokenAnswer, BrokenStream, EventReader, type ServerSentEvent } from "./server-sent-events.ts";

/**
 * How one wire folds what arrives into deltas and, at the end, whole parts. Knows nothing of sockets; may throw {@link
 * BrokenStream} or {@link StreamComplaint}.
 */
export interface AnswerFold {
  take(event: ServerSentEvent): readonly ModelEvent[];
  /** The one body of an answer that was not streamed. */
  takeWhole(value: unknown): readonly ModelEvent[];
  /** Everything that makes an answer has come; only its token counts may still follow. */
  readonly finished: boolean;
  /** Tokens that the service has counted so far. */
  readonly counted?: Usage;
  /** The provider said that nothing follows. */
  readonly done: boolean;
  /** Returns the withheld events and the end. Throws {@link BrokenStream} if the stream ended before the answer. */
  end(): readonly ModelEvent[];
}

/** The provider reported an error in the middle of an answer. */
export class StreamComplaint extends Error {
  readonly complaint: Complaint;

  constructor(complaint: Complaint) {
    super(complaint.message);
    this.complaint = complaint;
  }
}

/** A web page where an answer should be. */
class NoWire extends Error {}

export type Opened =
  | {
      readonly kind: "open";
      readonly reply: WireReply;
      readonly url: string;
      readonly answer: AnswerFold;
      /** Whether the request changes so that it avoids the complaint of an answer of which nothing was shown. */
      readonly learns?: (complaint: Complaint) => boolean | Promise<boolean>;
    }
  | { readonly kind: "failure"; readonly failure: ModelFailure };

/** Streams one answer. Ends with exactly one `end`; never throws for the service's or the network's sake. */
export async function* streamAnswer(
  open: () => Promise<Opened>,
  asked: Asked,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (;;) {
    const opened = await open();
    if (opened.kind === "failure") {
      yield { type: "end", kind: "failure", failure: opened.failure };
      return;
    }
    const { reply, url, answer } = opened;
    let complete = false;
    let shown = false;
    try {
      const { form, body } = await formOf(reply.body);
      if (form === "page") throw new NoWire();
      if (form === "whole")
        for (const event of answer.takeWhole(await readJson({ ...reply, body }))) {
          shown = true;
          yield event;
        }
      // Plain loops: `yield*` costs several turns of the event loop for every token.
      else
        for await (const batch of takeEvents(body, answer))
          for (const event of batch) {
            shown ||= event.type !== "alive";
            yield event;
          }
      const last = wellFormedCalls(answer.end());
      // Set this before yielding the end: the reader may abort the request at once, and the connection must stay
      // reusable.
      complete = true;
      reply.release(true);
      for (const event of last) yield event;
      return;
    } catch (error) {
      const again =
        error instanceof StreamComplaint &&
        !shown &&
        !signal.aborted &&
        (await opened.learns?.(error.complaint)) === true;
      if (again) continue;
      yield { type: "end", kind: "failure", failure: await judge(error, asked, url, signal), usage: answer.counted };
      return;
    } finally {
      if (!complete) reply.release(false);
    }
  }
}

export function cancelled(asked: Asked): ModelFailure {
  return { code: "cancelled", message: `The request to ${asked.service} was cancelled.`, retryable: false };
}

const ALIVE: readonly ModelEvent[] = [{ type: "alive" }];
const IDLE: readonly ModelEvent[] = [{ type: "alive", idle: true }];

/** The events of each piece that arrives, until the service says that nothing follows. */
async function* takeEvents(body: AsyncIterable<Uint8Array>, answer: AnswerFold): AsyncGenerator<readonly ModelEvent[]> {
  const reader = new EventReader();
  const pieces = body[Symbol.asyncIterator]();
  let waiting = false;
  try {
    while (!answer.done) {
      const next = answer.finished ? await soon(pieces.next()) : await pieces.next();
      waiting = next === undefined;
      if (next === undefined) return;
      const events = next.done === true ? reader.end() : reader.push(next.value);
      const shown = events.flatMap((event) => answer.take(event));
      yield shown.length > 0 || next.done === true ? shown : reader.idle || events.some(isPing) ? IDLE : ALIVE;
      if (next.done === true) return;
    }
  } finally {
    // An iterator that still waits for bytes cannot be ended from here; closing the connection ends it.
    if (!waiting) await pieces.return?.();
  }
}

function isPing({ event, data }: ServerSentEvent): boolean {
  return event === "ping" || /^\s*\{\s*"type"\s*:\s*"ping"/.test(data);
}

/**
 * After the finish reason only token counts may follow; a server that then forgets to close must not hold the turn up.
 */
async function soon<T>(next: Promise<T>): Promise<T | undefined> {
  next.catch(() => {});
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, 2000, undefined);
  });
  try {
    return await Promise.race([next, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Nothing of a broken stream is kept, and asking again may help. */
async function judge(error: unknown, asked: Asked, url: string, signal: AbortSignal): Promise<ModelFailure> {
  if (signal.aborted) return cancelled(asked);
  if (error instanceof StreamComplaint) return (await import("./failure.ts")).failureOf(error.complaint, asked);
  if (error instanceof NoWire)
    return {
      code: "bad_response",
      message: `${asked.service} (${new URL(url).host}) answered with a web page. Is the base URL right? A proxy or a network's sign-in page may have intercepted the request.`,
      retryable: false,
    };
  if (error instanceof BrokenStream)
    return { code: "bad_response", message: brokenAnswer(asked.service, error), retryable: true };
  if (error instanceof Error && "code" in error) return connectionFailure(asked, new URL(url), error).failure;
  throw error;
}
