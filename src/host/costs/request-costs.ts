import type { Logger } from "../../contract/common/logger.ts";
import type { Clock } from "../../contract/common/clock.ts";
import type { RequestPurpose } from "../../contract/providers/model.ts";
import type { BudgetKeeper } from "./budget-keeper.ts";
import type { EndedRequest, RequestLedger } from "../store/service/request-ledger.ts";
import type { SessionOrigins } from "./session-origins.ts";

/** A request that is about to be sent, as its sender describes it. */
export interface SentRequest extends Partial<RequestPurpose> {
  readonly kind: string;
  readonly provider: string;
  readonly model: string;
  readonly images: number;
  readonly tool?: string;
  /** USD that it may cost at most; 0 if no price is known. */
  readonly mostUsd?: number;
}

/** The row of a request that is sent. */
export interface OpenRequest {
  /** Completes the row; only the first call counts. */
  end(ended: Omit<EndedRequest, "at">): void;
}

/** `wait`: running requests reserve the rest of a budget. `spent`: it must not be sent. */
export type Begun =
  | { readonly kind: "sent"; readonly row: OpenRequest }
  | { readonly kind: "wait" }
  | { readonly kind: "spent"; readonly message: string };

/** The call that runs at this moment. */
export interface PlaceOfRequest {
  readonly sessionId: string;
  readonly turnId?: string;
  readonly tool?: string;
}

export interface RequestCostsPorts {
  readonly clock: Pick<Clock, "now">;
  readonly log: Pick<Logger, "error">;
  readonly origins: SessionOrigins;
  readonly budgets: BudgetKeeper;
  ledger(): Promise<RequestLedger>;
  /** The call that runs now; `undefined` outside of all calls. */
  place(): PlaceOfRequest | undefined;
}

/** How long another process may leave a request waiting before the budgets are looked at again. */
const LOOK_AGAIN_MS = 250;

/** The only way to send a request to a model or a paid service: its row comes first. */
export class RequestCosts {
  readonly #ports: RequestCostsPorts;
  #ended = Promise.withResolvers<void>();

  constructor(ports: RequestCostsPorts) {
    this.#ports = ports;
  }

  get budgets(): BudgetKeeper {
    return this.#ports.budgets;
  }

  /** For whom a request that is made now is sent; call it before the first `await`. */
  place(): PlaceOfRequest | undefined {
    return this.#ports.place();
  }

  /**
   * Rejects if the row cannot be written; then the request must not be sent.
   * @param store Stores the facts that the request contains; the row goes into their transaction.
   */
  async begin(request: SentRequest, place: PlaceOfRequest | undefined, store?: () => Promise<void>): Promise<Begun> {
    const { clock, log, origins, budgets } = this.#ports;
    const sessionId = request.sessionId ?? place?.sessionId;
    const turnId = request.turnId ?? (sessionId === place?.sessionId ? place?.turnId : undefined);
    const origin = sessionId === undefined ? undefined : origins.of(sessionId);
    const row = {
      at: clock.now(),
      kind: request.kind,
      provider: request.provider,
      model: request.model,
      sessionId,
      turnId,
      requestId: request.requestId,
      topSessionId: origin?.topSessionId,
      topTurnId: sessionId === undefined ? undefined : origins.turn(sessionId, turnId),
      user: origin?.user,
      job: origin?.job,
      tool: request.tool ?? place?.tool,
      images: request.images,
      reservedUsd: request.mostUsd ?? 0,
    };
    const ledger = await this.#ports.ledger();
    const check = budgets.check(row);
    const id = await ledger.begin(row, check?.judge, store);
    if (id === undefined) return check!.refusal();
    let ended = false;
    const end: OpenRequest["end"] = (result) => {
      if (ended) return;
      ended = true;
      ledger
        .end(id, { ...result, at: clock.now() })
        .catch((cause: unknown) =>
          log.error(`The end of request ${id} is not in the ledger of requests; its cost stays unknown.`, { cause }),
        )
        .finally(() => {
          this.#ended.resolve();
          this.#ended = Promise.withResolvers();
        });
    };
    return { kind: "sent", row: { end } };
  }

  /** Resolves when a request of this process ended, or after a moment: other processes send requests, too. */
  async oneEnded(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, LOOK_AGAIN_MS);
    await Promise.race([this.#ended.promise, late.promise]);
    clearTimeout(timer);
  }
}
