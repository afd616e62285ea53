import type { Logger } from "../../contract/common/logger.ts";
import type { Clock } from "../../contract/common/clock.ts";
import type { RequestPurpose } from "../../contract/providers/model.ts";
import type { EndedRequest, RequestLedger } from "../store/service/request-ledger.ts";
import type { SessionOrigins } from "./session-origins.ts";

/** A request that is about to be sent, as its sender describes it. */
export interface SentRequest extends Partial<RequestPurpose> {
  readonly kind: string;
  readonly provider: string;
  readonly model: string;
  readonly images: number;
  readonly tool?: string;
}

/** The row of a request that was sent. */
export interface OpenRequest {
  /** Completes the row; only the first call counts. */
  end(ended: Omit<EndedRequest, "at">): void;
}

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
  ledger(): Promise<RequestLedger>;
  /** The call that runs now; `undefined` outside of all calls. */
  place(): PlaceOfRequest | undefined;
}

/** The only way to send a request to a model or a paid service: its row comes first. */
export class RequestCosts {
  readonly #ports: RequestCostsPorts;

  constructor(ports: RequestCostsPorts) {
    this.#ports = ports;
  }

  /** For whom a request that is made now is sent; call it before the first `await`. */
  place(): PlaceOfRequest | undefined {
    return this.#ports.place();
  }

  /** Rejects if the row cannot be written; then the request must not be sent. */
  async begin(request: SentRequest, place: PlaceOfRequest | undefined): Promise<OpenRequest> {
    const { clock, log, origins } = this.#ports;
    const sessionId = request.sessionId ?? place?.sessionId;
    const turnId = request.turnId ?? (sessionId === place?.sessionId ? place?.turnId : undefined);
    const origin = sessionId === undefined ? undefined : origins.of(sessionId);
    const ledger = await this.#ports.ledger();
    const id = await ledger.begin({
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
      reservedUsd: 0,
    });
    let ended = false;
    return {
      end(end) {
        if (ended) return;
        ended = true;
        ledger
          .end(id, { ...end, at: clock.now() })
          .catch((cause: unknown) =>
            log.error(`The end of request ${id} is not in the ledger of requests; its cost stays unknown.`, { cause }),
          );
      },
    };
  }
}
