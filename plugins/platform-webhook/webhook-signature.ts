import type { WebhookRequest } from "hermes-agent/plugin";
import { isSigned, sameSecret } from "hermes-agent/platform";

/** The signed identity of a delivery. */
export interface SignedDelivery {
  readonly ok: boolean;
  /** Epoch ms, if the signature covers it. */
  readonly at?: number;
}

/**
 * Checks the signature on the raw body: Svix (`svix-signature`), GitHub (`X-Hub-Signature-256`), GitLab
 * (`X-Gitlab-Token`), `X-Webhook-Signature-V2` with `X-Webhook-Timestamp`, or `X-Webhook-Signature`. The first one of
 * these headers decides.
 */
export function signedDelivery({ headers, body }: WebhookRequest, secret: string): SignedDelivery {
  if (secret === "") return { ok: false };
  const svix = headers["svix-signature"];
  if (svix !== undefined) return ofSvix(svix, headers, body, secret);
  const github = headers["x-hub-signature-256"];
  if (github !== undefined) return { ok: isSigned(github, { key: secret, signed: [body] }) };
  const gitlab = headers["x-gitlab-token"];
  if (gitlab !== undefined) return { ok: sameSecret(gitlab, secret) };
  const timed = headers["x-webhook-signature-v2"];
  if (timed !== undefined) {
    const at = headers["x-webhook-timestamp"] ?? "";
    return { ok: isSigned(timed, { key: secret, signed: [at, ".", body] }), at: Number(at || Number.NaN) * 1_000 };
  }
  return { ok: isSigned(headers["x-webhook-signature"], { key: secret, signed: [body] }) };
}

/** Several signatures are separated by spaces while a service changes its key. */
function ofSvix(given: string, headers: WebhookRequest["headers"], body: Uint8Array, secret: string): SignedDelivery {
  const id = headers["svix-id"] ?? "";
  const at = headers["svix-timestamp"] ?? "";
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : secret;
  const signed = [id, ".", at, ".", body];
  return {
    ok: given.split(" ").some((one) => one.startsWith("v1,") && isSigned(one, { key, signed, encoding: "base64" })),
    at: Number(at || Number.NaN) * 1_000,
  };
}

/**
 * The service's id of a delivery, if it gives one. Svix signs its id, so no other header counts beside it: a captured
 * delivery sent again with one more header must stay a repetition.
 */
export function deliveryId(headers: WebhookRequest["headers"]): string | undefined {
  if (headers["svix-signature"] !== undefined) return headers["svix-id"];
  return headers["x-github-delivery"] ?? headers["x-gitlab-event-uuid"] ?? headers["x-request-id"];
}
