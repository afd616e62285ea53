import { createHash, timingSafeEqual } from "node:crypto";

/** Compares with the secret in constant time. */
export function sameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

/** The token of an Authorization header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(.+)$/i.exec(authorization ?? "")?.[1]; // The scheme has no case (RFC 9110).
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
