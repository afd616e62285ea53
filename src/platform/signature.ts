import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Compares with a secret in constant time, whatever the lengths. */
export function sameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(digest(given), digest(secret));
}

export interface SignatureOptions {
  /** Default `sha256`. */
  readonly hash?: "sha1" | "sha256" | "sha512";
  /** Default `hex`. */
  readonly encoding?: "hex" | "base64" | "base64url";
  readonly key: string | Uint8Array;
  /** The signed bytes, in order: the raw body, and what the service puts before or after it. */
  readonly signed: readonly (string | Uint8Array)[];
}

/** The HMAC signature of the bytes. */
export function signature({ hash = "sha256", encoding = "hex", key, signed }: SignatureOptions): string {
  const hmac = createHmac(hash, key);
  for (const part of signed) hmac.update(part);
  return hmac.digest(encoding);
}

/** Whether a signature is right, compared in constant time. `sha256=` and the like before it are ignored. */
export function isSigned(given: string | undefined, options: SignatureOptions): boolean {
  if (given === undefined || given === "") return false;
  const bare = given.trim().replace(/^(?:sha1|sha256|sha512|v0|v1)[=,]/, "");
  const wanted = signature(options);
  return sameSecret((options.encoding ?? "hex") === "hex" ? bare.toLowerCase() : bare, wanted);
}

/** Whether a signed time is close enough to now to be no replay. @param at Epoch ms. */
export function isFresh(at: number, now: number, toleranceSeconds = 300): boolean {
  return Number.isFinite(at) && Math.abs(now - at) <= toleranceSeconds * 1_000;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
