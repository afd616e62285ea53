import { createHash, createHmac } from "node:crypto";

export interface CosRequest {
  readonly method: string;
  /** The path as in the URL. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  readonly id: string;
  readonly key: string;
  /** Epoch seconds. */
  readonly from: number;
  readonly until: number;
}

/** The Authorization header of Tencent Cloud Object Storage (request signature of its XML API). */
export function cosSignature({ method, path, headers, id, key, from, until }: CosRequest): string {
  const period = `${from};${until}`;
  const names = Object.keys(headers).toSorted();
  const signed = names
    .map(
      (name) =>
        `${name}=${encodeURIComponent(headers[name]!).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)}`,
    )
    .join("&");
  const request = createHash("sha1").update(`${method.toLowerCase()}\n${path}\n\n${signed}\n`).digest("hex");
  const signature = hmac(hmac(key, period), `sha1\n${period}\n${request}\n`);
  return `q-sign-algorithm=sha1&q-ak=${id}&q-sign-time=${period}&q-key-time=${period}&q-header-list=${names.join(";")}&q-url-param-list=&q-signature=${signature}`;
}

function hmac(key: string, text: string): string {
  return createHmac("sha1", key).update(text).digest("hex");
}
