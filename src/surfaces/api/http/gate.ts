import type { IncomingHttpHeaders } from "node:http";
import { bearerOf, sameSecret } from "../../shared/http/same-secret.ts";
import { ApiFailure } from "./api-failure.ts";

/** For every answer, streams too: nothing is kept, guessed, framed, run or told to others. */
export const SECURITY_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-permitted-cross-domain-policies": "none",
};

/**
 * Pages of elsewhere reach a loopback server through their reader's browser. What is no page sends no origin and needs the key alone, so that the
 * server answers to any name: proxies and containers have their own.
 */
export function refusedOrigin({ origin }: IncomingHttpHeaders, origins: readonly string[]): ApiFailure | undefined {
  if (origin === undefined || origins.includes("*") || origins.includes(origin)) return undefined;
  return new ApiFailure(
    `Pages of ${JSON.stringify(origin)} get nothing here. API_SERVER_CORS_ORIGINS names the origins that may ask.`,
    { status: 403, code: "origin_not_allowed" },
  );
}

export function refusedKey({ authorization }: IncomingHttpHeaders, key: string): ApiFailure | undefined {
  const given = bearerOf(authorization);
  if (given !== undefined && sameSecret(given, key)) return undefined;
  return new ApiFailure(
    `${given === undefined ? "No key was sent" : "This is not the key of this server"}: Authorization: Bearer KEY, with the API_SERVER_KEY of this agent.`,
    { status: 401, code: "invalid_api_key", headers: { "www-authenticate": "Bearer" } },
  );
}

/** What a browser needs to hand an answer to a page that may have it. */
export function corsHeaders(
  { origin }: IncomingHttpHeaders,
  origins: readonly string[],
): { readonly [name: string]: string } {
  if (origins.length === 0) return {};
  if (origin === undefined) return { vary: "Origin" };
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Hermes-Session-Id",
    "access-control-expose-headers": "Retry-After, X-Hermes-Session-Id",
    "access-control-max-age": "600",
    vary: "Origin",
  };
}
