/** Where the cost of a request comes from. */
export type PriceSource =
  /** The provider's own figure. */
  | "provider"
  /** The price table. */
  | "table"
  /** This machine answered: no one charges for it. */
  | "free"
  /** The service refused it or never got it. */
  | "unbilled"
  /** The answer broke off: it costs at least what the service had counted. */
  | "partial";

/**
 * `open`: no answer is stored yet, so the process that sent it is still running. `interrupted`: that process ended, and
 * what the request cost is unknown.
 */
export type RequestState = "open" | "interrupted" | "answered" | "failed";

/** One request to a model or a paid service. */
export interface LedgerRow {
  readonly id: number;
  /** Epoch ms. */
  readonly at: number;
  readonly endedAt: number | undefined;
  readonly state: RequestState;
  readonly kind: string;
  readonly provider: string;
  readonly model: string;
  readonly sessionId: string | undefined;
  /** The session that a surface opened: that of a subagent's parent, or of a batch run. */
  readonly topSessionId: string | undefined;
  readonly turnId: string | undefined;
  readonly requestId: string | undefined;
  /** The chat user; `undefined`: the owner. */
  readonly user: string | undefined;
  /** The scheduled job or batch run. */
  readonly job: string | undefined;
  /** The tool whose call sent it. */
  readonly tool: string | undefined;
  /** All input tokens, cached ones included. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWrite5mTokens: number;
  readonly cacheWrite1hTokens: number;
  readonly reasoningTokens: number;
  readonly outputTokens: number;
  readonly images: number;
  /** `undefined`: unknown. */
  readonly costUsd: number | undefined;
  readonly priceSource: PriceSource | undefined;
  /** Why it failed: a failure's code. */
  readonly failure: string | undefined;
}

/** What several requests cost. */
export interface CostSum {
  /** Of the requests whose cost is known. */
  readonly costUsd: number;
  readonly requests: number;
  /** Requests that ended with an unknown cost, or were interrupted. */
  readonly unknown: number;
  /** Requests that are still running. */
  readonly open: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

export const COST_GROUPS = ["day", "model", "session", "tool", "job", "user", "kind"] as const;
export type CostGroup = (typeof COST_GROUPS)[number];

export interface CostService {
  /** What a session cost, with its subagents. */
  ofSession(sessionId: string): Promise<CostSum>;
  /** What a turn of a topmost session cost, with its subagents. */
  ofTurn(sessionId: string, turnId: string): Promise<CostSum>;
  /**
   * Sums of the requests since `since` (epoch ms), of one chat user or one topmost session; largest cost first, days in
   * order. The name is "" for requests that belong to no group.
   */
  by(
    group: CostGroup,
    options?: { readonly since?: number; readonly whose?: string; readonly sessionId?: string },
  ): Promise<readonly (CostSum & { readonly name: string })[]>;
  /** Every request since `since` (epoch ms), or of one session without its subagents, oldest first. */
  rows(options?: { readonly since?: number; readonly sessionId?: string }): Promise<readonly LedgerRow[]>;
}
