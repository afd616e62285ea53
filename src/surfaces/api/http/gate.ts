import type { IncomingHttpHeaders } from "node:http";
import { bearerOf, sameSecret } from "../../shared/http/same-secret.ts";
import { ApiFailure } from "./api-failure.ts";

/** For every response: no caching, sniffing, framing, scripts or referrer. */
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
 * Web pages can reach a loopback server through the user's browser, so their origin must be allowed. Other clients send
 * no origin and need only the key. The Host header is not checked, because proxies and containers use other names.
 */
export function refusedOrigin({ origin }: IncomingHttpHeaders, origins: readonly string[]): ApiFailure | undefined {
  if (origin === undefined || origins.includes("*") || origins.includes(origin)) return undefined;
  return new ApiFailure(`The origin ${JSON.stringify(origin)} is not allowed. Add it to API_SERVER_CORS_ORIGINS.`, {
    status: 403,
    code: "origin_not_allowed",
  });
}

export function refusedKey({ authorization }: IncomingHttpHeaders, key: string): ApiFailure | undefined {
  const given = bearerOf(authorization);
  if (given !== undefined && sameSecret(given, key)) return undefined;
  return new ApiFailure(
    `${given === undefined ? "The request has no key" : "The key is wrong"}. Send "Authorization: Bearer KEY" with this agent's API_SERVER_KEY.`,
    { status: 401, code: "invalid_api_key", headers: { "www-authenticate": "Bearer" } },
  );
}

/** Headers that let a browser give the response to an allowed page. */
export function corsHeaders(
  { origin }: IncomingHttpHeaders,
  origins: readonly string[],
): { readonly [name: string]: string } {
  if (origins.length === 0) return {};
  if (origin === undefined) return { vary: "Origin" };
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-allow-headers":
      "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Hermes-Session-Id, X-Hermes-Tool-Progress",
    "access-control-expose-headers": "Retry-After, X-Hermes-Session-Id",
    "access-control-max-age": "600",
    vary: "Origin",
  };
}
