import type {
  Billing,
  ModelClient,
  ModelEnd,
  ModelEvent,
  ModelFailure,
  ModelRequest,
} from "../../contract/providers/model.ts";
import { priceOf } from "../models/model-facts.ts";
import type { EndedRequest } from "../store/service/request-ledger.ts";
import { affordableOutput, brokenOffUsd, mostCost, type MostCost } from "./most.ts";
import type { OpenRequest, PlaceOfRequest, RequestCosts } from "./request-costs.ts";

/** A model's client whose every request has a row in the ledger: written before it is sent, completed with its end. */
export function billedClient(client: ModelClient, billing: Billing, costs: RequestCosts): ModelClient {
  /** Requests that were sent before: a pool of keys sends one again with the next key. */
  const sent = new WeakSet<ModelRequest>();
  return {
    waits: client.waits,
    stream(request, signal) {
      // Read here: a generator runs where its reader is.
      const place = costs.place();
      const again = sent.has(request);
      sent.add(request);
      return record({ client, billing, costs, place, again }, request, signal);
    },
  };
}

interface Way {
  readonly client: ModelClient;
  readonly billing: Billing;
  readonly costs: RequestCosts;
  readonly place: PlaceOfRequest | undefined;
  readonly again: boolean;
}

async function* record(
  { client, billing, costs, place, again }: Way,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const price = costs.budgets.any && billing.prices === "table" ? priceOf(request.model) : undefined;
  const most = price === undefined ? undefined : mostCost(request, price);
  let asked = request;
  let row: OpenRequest | undefined;
  while (row === undefined) {
    const begun = await begin({ client, billing, costs, place, again }, request, most);
    if ("type" in begun) return yield begun;
    if (begun.kind === "wait") {
      yield { type: "alive" };
      await costs.oneEnded();
      if (signal.aborted) return yield failed("cancelled", "The request was cancelled before it was sent.");
    } else {
      row = begun.row;
      asked = begun.asked;
    }
  }
  let chars = 0;
  try {
    // A plain loop: `yield*` costs several turns of the event loop for every token.
    for await (const event of client.stream(asked, signal)) {
      if (event.type === "text.delta" || event.type === "thinking.delta") chars += event.text.length;
      if (event.type !== "end") yield event;
      else {
        const end = endOf(event, billing, request.model);
        row.end({ ...end, aboutUsd: most && brokenOffUsd(most, chars) });
        yield event.kind === "answer" ? { ...event, costUsd: end.costUsd } : event;
      }
    }
  } finally {
    // Its reader stopped reading, or the client broke.
    const aboutUsd = most && brokenOffUsd(most, chars);
    row.end({ state: "failed", failure: signal.aborted ? "cancelled" : "bad_response", aboutUsd });
  }
}

type Sending = { readonly kind: "sent"; readonly row: OpenRequest; readonly asked: ModelRequest };

/** Enters the request into the ledger, with its answer cut to what one request may cost. */
async function begin(
  { billing, costs, place, again }: Way,
  request: ModelRequest,
  most: MostCost | undefined,
): Promise<Sending | { readonly kind: "wait" } | ModelEnd> {
  const { purpose } = request;
  const [sessionId, turnId] = [purpose?.sessionId ?? place?.sessionId, purpose?.turnId ?? place?.turnId];
  if (most === undefined && billing.prices !== "free") costs.budgets.unpriced(sessionId, request.model);
  const limit = most && costs.budgets.requestLimit(sessionId, turnId);
  const output = most && (limit === undefined ? most.outputTokens : affordableOutput(most, limit));
  if (most !== undefined && output === undefined)
    return failed("budget", costs.budgets.refuseRequest(sessionId, turnId, most.inputUsd));
  try {
    const begun = await costs.begin(
      {
        ...purpose,
        kind: again ? "retry" : (purpose?.kind ?? "plugin"),
        provider: billing.provider,
        model: request.model,
        images: imagesOf(request),
        mostUsd: most && most.inputUsd + output! * most.perOutputTokenUsd,
      },
      place,
      request.store,
    );
    if (begun.kind === "spent") return failed("budget", begun.message);
    if (begun.kind === "wait") return begun;
    const cut = most !== undefined && output! < most.outputTokens;
    return { ...begun, asked: cut ? { ...request, maxOutputTokens: output } : request };
  } catch (cause) {
    return failed(
      "bad_request",
      `The request was not sent, because it could not be entered into the ledger of requests: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}

function failed(code: ModelFailure["code"], message: string): ModelEnd {
  return { type: "end", kind: "failure", failure: { code, message, retryable: false, sent: false } };
}

function imagesOf({ messages }: ModelRequest): number {
  let images = 0;
  for (const message of messages) {
    if (message.role !== "tool") images += imagesAmong(message.parts);
    else for (const { parts } of message.results) images += imagesAmong(parts);
  }
  return images;
}

/** Every request counts the whole conversation, so without a copy. */
function imagesAmong(parts: readonly { readonly type: string }[]): number {
  let images = 0;
  for (const { type } of parts) if (type === "image") images++;
  return images;
}

/** What a request cost. */
export function endOf(end: ModelEnd, { prices }: Billing, model: string): Omit<EndedRequest, "at"> {
  const named = end.kind === "answer" && model === "" ? end.model : undefined;
  const table = (): ReturnType<typeof priceOf> =>
    prices === "table" ? (priceOf(model) ?? priceOf((end.kind === "answer" && end.model) || "")) : undefined;
  if (end.kind === "answer") {
    const { usage, costUsd } = end;
    const answered = { state: "answered" as const, usage, model: named };
    if (costUsd !== undefined) return { ...answered, costUsd, priceSource: "provider" };
    if (prices === "free") return { ...answered, costUsd: 0, priceSource: "free" };
    const cost = table()?.(usage);
    return cost === undefined ? answered : { ...answered, costUsd: cost, priceSource: "table" };
  }
  const { failure, usage } = end;
  const failed = { state: "failed" as const, usage, failure: failure.code };
  if (prices === "free") return { ...failed, costUsd: 0, priceSource: "free" };
  if (usage === undefined && !mayBeBilled(end)) return { ...failed, costUsd: 0, priceSource: "unbilled" };
  const least = usage === undefined ? undefined : table()?.(usage);
  return least === undefined ? failed : { ...failed, costUsd: least, priceSource: "partial" };
}

/** Services do not charge for what they refuse. After a broken connection no one here knows. */
function mayBeBilled({ failure }: Extract<ModelEnd, { kind: "failure" }>): boolean {
  const { code, status, sent } = failure;
  if (sent === false || (status !== undefined && status !== 200)) return false;
  return !["auth", "billing", "rate_limit", "model_not_found", "context_overflow", "bad_request"].includes(code);
}
