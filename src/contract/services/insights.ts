export interface InsightsQuery {
  /** Whole days up to now. Default 30. */
  readonly days?: number;
  /** Only sessions of this surface (`cli`, `telegram`), with those of their subagents. */
  readonly surface?: string;
}

export interface TokenCounts {
  /** All tokens of requests, cached ones included. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

/** The usage of a period, counted from the facts in it. Times are epoch ms. */
export interface Insights {
  readonly days: number;
  readonly fromAt: number;
  readonly untilAt: number;
  readonly surface?: string;
  /** Sessions with a fact in the period; subagents and tools called by hand count only in `tools` and tokens. */
  readonly sessions: number;
  readonly turns: number;
  /** Messages that a user wrote. */
  readonly messages: number;
  readonly requests: number;
  readonly toolCalls: number;
  readonly failedCalls: number;
  readonly tokens: TokenCounts;
  /** Of the requests with a known price; `undefined` if there are none. */
  readonly costUsd?: number;
  /** Requests whose price is not known. */
  readonly unpriced: number;
  /** Sum of the duration of all turns that ended. */
  readonly activeMs: number;
  /** Most tokens first. */
  readonly models: readonly {
    readonly model: string;
    readonly requests: number;
    readonly tokens: TokenCounts;
    readonly costUsd?: number;
  }[];
  /** Most calls first. */
  readonly tools: readonly {
    readonly tool: string;
    readonly calls: number;
    readonly failed: number;
    /** Sum of the durations of its completed calls. */
    readonly totalMs: number;
  }[];
  /** Most turns first. */
  readonly surfaces: readonly { readonly surface: string; readonly sessions: number; readonly turns: number }[];
  /** Turns by the hour in which they started, 0 to 23, in the user's time zone. */
  readonly hours: readonly number[];
  /** Turns by weekday, Monday first. */
  readonly weekdays: readonly number[];
  /** Days with turns, oldest first: `2026-05-17`. */
  readonly byDay: readonly { readonly day: string; readonly turns: number }[];
  /** At most five sessions, most tokens first. */
  readonly largest: readonly {
    readonly id: string;
    readonly title?: string;
    readonly turns: number;
    readonly toolCalls: number;
    readonly tokens: number;
    readonly costUsd?: number;
  }[];
}
