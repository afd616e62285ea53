import type { ServerOptions } from "node:http";

/** A client that sends its request slowly keeps its connection only so long. */
export const HTTP_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 2_000,
} as const satisfies ServerOptions;
