import { setTimeout as sleepFor } from "node:timers/promises";
import { definedFields } from "../contract/common/defined-fields.ts";
import type { Json, JsonObject } from "../contract/common/json.ts";
import { parseExact } from "../contract/common/parse-exact.ts";
import type { FetchOptions, FetchReply, GuardedFetch } from "../contract/providers/web.ts";
import { HttpRefusal, neverSent } from "./http-refusal.ts";
import { multipart, type UploadedFile } from "./multipart.ts";
import { exhaustedUntil, retryAfterMs } from "./retry-after.ts";

export interface PacedHttpOptions {
  readonly fetch: GuardedFetch;
  /** Names the service in errors. */
  readonly label: string;
  /** Headers of every request, such as the authorization. */
  headers?(): { readonly [name: string]: string } | Promise<{ readonly [name: string]: string }>;
  /** Texts that no error may repeat: tokens, and addresses that contain one. */
  readonly secrets?: readonly string[];
  /** The setting or variable of the server's address, if the user may set it: the server may then be private. */
  readonly configured?: string;
  /** The message of a refusal in an answer's body. Default: its `message`, `error`, `description` or `errmsg`. */
  reason?(body: unknown): string | undefined;
  /**
   * For a service that reports refusals with status 200: the error of such a body, as status and message;
   * `undefined`: it succeeded.
   */
  refusal?(body: unknown): { readonly status: number; readonly message: string } | undefined;
  /** Used for every pause. */
  sleep?(ms: number, signal?: AbortSignal): Promise<void>;
  now?(): number;
}

export interface PacedRequest {
  readonly method?: FetchOptions["method"];
  readonly headers?: { readonly [name: string]: string };
  /** At most one of these: a JSON body, form fields, fields with files, or raw bytes with their type in `headers`. */
  readonly json?: Json;
  readonly form?: { readonly [name: string]: string };
  readonly upload?: { readonly fields: JsonObject; readonly files: readonly UploadedFile[] };
  readonly bytes?: Uint8Array;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** What the request does, for errors. Default "the request". */
  readonly what?: string;
  /** Requests of one rate-limit bucket wait together. Default: the method and the address without its query. */
  readonly bucket?: string;
  /** The longest pause asked for by the service that the request waits for. Default 60 000; 0 for previews. */
  readonly waitMs?: number;
  /** Whether the request may be repeated after it may have been carried out, as reading may. Default: only GET. */
  readonly repeatable?: boolean;
}

export interface PacedReply {
  readonly status: number;
  readonly headers: FetchReply["headers"];
  /** The parsed JSON, or the text of any other answer. */
  readonly body: unknown;
}

export interface PacedHttp {
  /** @throws {HttpRefusal} for every answer that is not a success. */
  request(url: string, request?: PacedRequest): Promise<PacedReply>;
  /** The bytes of a file. @throws {HttpRefusal} */
  download(url: string, request?: PacedRequest): Promise<Uint8Array>;
}

const LONGEST_WAIT_MS = 60_000;
const UPLOAD_MS = 300_000;
/** Tries of a request that was surely not carried out. */
const MAX_TRIES = 4;

/**
 * Requests to one service at the pace that it asks for: a bucket that is used up, a `Retry-After` and a limit for the
 * whole account delay the requests that they concern.
 */
export function pacedHttp(options: PacedHttpOptions): PacedHttp {
  const { sleep = pause, now = Date.now } = options;
  /** When each bucket is free again; "" stands for all. */
  const busyUntil = new Map<string, number>();
  const masked = (text: string): string =>
    (options.secrets ?? []).reduce(
      (masking, secret) => (secret === "" ? masking : masking.replaceAll(secret, "[secret]")),
      text,
    );

  const once = async (url: string, request: PacedRequest): Promise<FetchReply> => {
    const { content, type } = contentOf(request);
    return options.fetch(
      url,
      definedFields({
        method: request.method ?? (content === undefined ? "GET" : "POST"),
        headers: {
          ...(type === undefined ? {} : { "content-type": type }),
          ...(await options.headers?.()),
          ...request.headers,
        },
        body: content,
        timeoutMs: request.timeoutMs ?? (request.upload === undefined ? 30_000 : UPLOAD_MS),
        maxBytes: request.maxBytes,
        signal: request.signal,
        configured: options.configured,
      }),
    );
  };

  /** @returns the pause that the reply asks for, noted for its bucket. */
  const noted = (bucket: string, reply: FetchReply, body: unknown): number | undefined => {
    const at = now();
    const asked = reply.status === 429 || reply.status === 503 ? retryAfterMs(reply.headers, body, at) : undefined;
    const whole = reply.headers["x-ratelimit-global"] === "true" || reply.headers["x-ratelimit-scope"] === "global";
    if (asked !== undefined) busyUntil.set(whole ? "" : bucket, at + asked);
    const until = exhaustedUntil(reply.headers, at);
    if (asked === undefined && until !== undefined) busyUntil.set(bucket, until);
    return asked;
  };

  const send = async <T>(
    url: string,
    request: PacedRequest,
    read: (reply: FetchReply) => Promise<T>,
  ): Promise<{ readonly reply: FetchReply; readonly value: T }> => {
    const method = request.method ?? (contentOf(request).content === undefined ? "GET" : "POST");
    const bucket = request.bucket ?? `${method} ${url.split("?")[0]}`;
    const repeatable = request.repeatable ?? method === "GET";
    let left = request.waitMs ?? LONGEST_WAIT_MS;
    for (let tries = 1; ; tries++) {
      const wait = Math.max(busyUntil.get(bucket) ?? 0, busyUntil.get("") ?? 0) - now();
      if (wait > left)
        throw new HttpRefusal(`${options.label} asks for a pause of ${Math.ceil(wait / 1_000)} s.`, {
          status: 429,
          retryAfterMs: wait,
        });
      if (wait > 0) {
        left -= wait;
        await sleep(wait, request.signal);
      }
      let status = 0;
      try {
        const reply = await once(url, request);
        ({ status } = reply);
        if (status < 300) {
          noted(bucket, reply, undefined);
          return { reply, value: await read(reply) };
        }
        const body = parsed(await reply.text());
        const asked = noted(bucket, reply, body);
        if (asked !== undefined && asked <= left && tries < MAX_TRIES) continue;
        throw refused({ ...options, what: request.what }, status, body, asked, masked);
      } catch (cause) {
        if (cause instanceof HttpRefusal || request.signal?.aborted === true) throw cause;
        const surelyNot = status === 0 && neverSent(cause);
        const doing = request.what === undefined ? "" : ` for ${request.what}`;
        throw new HttpRefusal(masked(`${options.label} cannot be reached${doing}: ${(cause as Error).message}`), {
          status,
          unsure: !surelyNot && !repeatable,
          cause: surelyNot ? cause : undefined,
        });
      }
    }
  };

  return {
    async request(url, request = {}) {
      const { reply, value: body } = await send(url, request, async (given) => parsed(await given.text()));
      const wrong = options.refusal?.(body);
      if (wrong === undefined) return { status: reply.status, headers: reply.headers, body };
      throw new HttpRefusal(masked(`${options.label} refused ${request.what ?? "the request"}: ${wrong.message}`), {
        status: wrong.status,
        retryAfterMs: wrong.status === 429 ? retryAfterMs(reply.headers, body, now()) : undefined,
        body,
      });
    },
    async download(url, request = {}) {
      return (await send(url, { timeoutMs: 120_000, ...request }, (reply) => reply.bytes())).value;
    },
  };
}

function refused(
  options: Pick<PacedHttpOptions, "label" | "reason"> & Pick<PacedRequest, "what">,
  status: number,
  body: unknown,
  retryAfter: number | undefined,
  masked: (text: string) => string,
): HttpRefusal {
  // A page of a proxy in front of the service says nothing about what the service did.
  const unreadable = typeof body === "string" && status >= 500 && status !== 503;
  const { label, what = "the request" } = options;
  const why = (options.reason ?? reasonIn)(body) ?? `status ${status}`;
  const message = unreadable
    ? `${label} answered ${what} with status ${status} and nothing that can be read`
    : `${label} refused ${what}: ${why}`;
  return new HttpRefusal(masked(message), {
    status,
    retryAfterMs: retryAfter,
    unsure: unreadable,
    body,
  });
}

function reasonIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const fields = body as { readonly [name: string]: unknown };
  const found = ["message", "error", "description", "errmsg", "msg"].map((name) => fields[name]);
  const text = found.find((one) => typeof one === "string" && one !== "");
  return typeof text === "string" ? text.slice(0, 300) : undefined;
}

function contentOf({ json, form, upload, bytes, headers }: PacedRequest): {
  readonly content: string | Uint8Array | undefined;
  readonly type: string | undefined;
} {
  if (json !== undefined) return { content: JSON.stringify(json), type: "application/json" };
  if (form !== undefined)
    return { content: new URLSearchParams(form).toString(), type: "application/x-www-form-urlencoded" };
  if (upload !== undefined) {
    const { body, contentType } = multipart(upload.fields, upload.files);
    return { content: body, type: contentType };
  }
  return { content: bytes, type: headers?.["content-type"] };
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return text; // Not JSON: the caller decides what a text means.
  }
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return sleepFor(ms, undefined, signal === undefined ? {} : { signal });
}
