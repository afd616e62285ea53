import { createHash, timingSafeEqual } from "node:crypto";

/** Whether it is the secret, in a time that says nothing of where they differ. */
export function sameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

/** What stands behind `Bearer` in an Authorization header. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
