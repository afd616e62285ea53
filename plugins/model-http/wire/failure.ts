import type { ModelFailure } from "hermes-agent/plugin";
import type { WireReply } from "./http.ts";
import { windowInError } from "./window-in-error.ts";

/** The service and model for messages; `key` is only used to mask it. */
export interface Asked {
  readonly service: string;
  readonly model: string;
  readonly keyEnv: readonly string[];
  readonly key: string | undefined;
  /** Where the key comes from; without a key, why there is none. Absent: one of `keyEnv`. */
  readonly keyOrigin?: string | undefined;
}

/** An error reported by a provider (status, JSON body, event of a running stream). */
export interface Complaint {
  readonly status?: number;
  /** The service's error codes, joined: `insufficient_quota invalid_request_error`. */
  readonly codes: string;
  readonly message: string;
  readonly retryAfterMs?: number;
}

/** Reads an error reply. Never rejects; takes at most 64 kB of its body. */
export async function readComplaint(reply: WireReply, now: number = Date.now()): Promise<Complaint> {
  const text = await readSome(reply.body);
  reply.release(true);
  const complaint = complaintOf(parse(text));
  const retryAfterMs = retryAfter(reply.headers, now) ?? complaint?.retryAfterMs;
  return {
    status: reply.status,
    codes: complaint?.codes ?? "",
    // Use only plain sentences: a proxy's HTML page or punctuation alone does not help.
    message: complaint?.message ?? (/^\s*</.test(text) || !/\p{L}/u.test(text) ? "" : text),
    retryAfterMs,
  };
}

/** The complaint in a JSON value, in any of the shapes providers use; `undefined` when it is none. */
export function complaintOf(value: unknown): Complaint | undefined {
  const outer = Array.isArray(value) ? value[0] : value;
  if (typeof outer !== "object" || outer === null) return undefined;
  const record = outer as Record<string, unknown>;
  const inner =
    record["error"] ??
    (record["object"] === "error" || record["type"] === "error" ? record : undefined) ??
    (typeof record["detail"] === "string" ? { message: record["detail"] } : undefined);
  if (inner === undefined || inner === null || inner === false) return undefined;
  if (typeof inner === "string") return { codes: "", message: inner };
  if (typeof inner !== "object") return undefined;
  const error = inner as Record<string, unknown>;
  const metadata = error["metadata"] as { raw?: unknown } | undefined;
  const raw = typeof metadata?.raw === "string" ? ` ${metadata.raw}` : "";
  const status = [error["code"], error["status"], error["http_status"]]
    .map(Number)
    .find((number) => number >= 400 && number < 600);
  return {
    status,
    codes: [error["code"], error["type"], error["status"]].filter((code) => typeof code === "string").join(" "),
    message: `${typeof error["message"] === "string" ? error["message"] : JSON.stringify(inner)}${raw}${typeof error["n_ctx"] === "number" ? ` (n_ctx: ${error["n_ctx"]})` : ""}`,
    ...retryIn(error["details"]),
  };
}

/** Google says in the body how long to wait: `{ retryDelay: "7s" }`. */
function retryIn(details: unknown): Pick<Complaint, "retryAfterMs"> {
  const delay = (Array.isArray(details) ? (details as readonly ({ readonly retryDelay?: unknown } | null)[]) : [])
    .map((detail) => detail?.retryDelay)
    .find((output) => typeof output === "string");
  const seconds = delay === undefined ? Number.NaN : Number(delay.replace(/s$/, ""));
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: Math.round(seconds * 1000) } : {};
}

/** The one place that decides what a complaint means for the engine. */
export function failureOf(complaint: Complaint, asked: Asked): ModelFailure {
  const { code, retryable } = classify(complaint);
  const output = mask(complaint.message, asked.key);
  const status = complaint.status === undefined ? "reports an error" : `answered ${complaint.status}`;
  return {
    code,
    message: `${asked.service} ${status}${output === "" ? "." : `: ${output.replace(/([^.!?])$/, "$1.")}`}${advice(code, asked, output)}${/\bv1\/responses\b/.test(output) ? " To use its other wire, run `hermes config set model.api_mode codex_responses`." : ""}`,
    retryable,
    retryAfterMs: complaint.retryAfterMs,
    status: complaint.status,
    contextTokens: code === "context_overflow" ? windowInError(complaint.message) : undefined,
  };
}

type Verdict = Pick<ModelFailure, "code" | "retryable">;

const CONTEXT =
  /context[ _-]?(length|window|size|limit)|maximum context|prompt is too long|input (is|was) too long|too many (input |total )?tokens|input token count|exceed_context|reduce the length|longer than the (model|maximum)|request_too_large/i;
/** Google's word for a key that is none comes with status 400. */
const BAD_KEY = /api[ _]?key[ _](not[ _]valid|invalid)/i;
const BILLING =
  /insufficient[ _](quota|credits?|balance|funds)|billing_(hard_limit|not_active|error)|credit balance|payment required|out of credits|more credits/i;
const POLICY = /content[ _](policy|filter|management)|moderation|safety system|usage polic|data_inspection|flagged/i;
const NO_MODEL =
  /model[ _]not[ _](found|exist)|no such model|unknown model|model\b.{0,120}\b(does not exist|not found|is not (available|supported|a valid)|not exist)|not a valid model|no endpoints found/i;
const OVERLOADED = /overloaded|at capacity|no healthy upstream|engine is busy|unavailable/i;

function classify(complaint: Complaint): Verdict {
  const status = complaint.status ?? statusOfCodes(complaint.codes);
  const text = `${complaint.codes} ${complaint.message}`;
  // Rate-limit messages mention "input tokens" and quotas too, so check the status first.
  if (status === 429)
    return /insufficient[ _](quota|balance|credits?)|billing_hard_limit|credit balance/i.test(text)
      ? { code: "billing", retryable: false }
      : { code: "rate_limit", retryable: true };
  if (status === 401 || (status === 400 && BAD_KEY.test(text))) return { code: "auth", retryable: false };
  if (status === 402 || BILLING.test(text)) return { code: "billing", retryable: false };
  if (status === 413 || CONTEXT.test(text)) return { code: "context_overflow", retryable: false };
  if (POLICY.test(text) && (status === undefined || status < 500)) return { code: "refused", retryable: false };
  if (status === 403) return { code: "auth", retryable: false };
  if ((status === 404 || status === 400 || status === 422 || status === undefined) && NO_MODEL.test(text))
    return { code: "model_not_found", retryable: false };
  if (status === 404) return { code: "model_not_found", retryable: false };
  if (status === 408) return { code: "timeout", retryable: true };
  if (status === 529 || status === 503 || OVERLOADED.test(complaint.codes))
    return { code: "overloaded", retryable: true };
  if (status === undefined || status >= 500 || status === 409 || status === 425)
    return { code: "server", retryable: true };
  return { code: "bad_request", retryable: false };
}

/** Errors inside a stream carry words where the HTTP status already said 200. */
function statusOfCodes(codes: string): number | undefined {
  if (/rate_limit|resource_exhausted|too_many_requests/i.test(codes)) return 429;
  if (/authentication|invalid_api_key|unauthenticated/i.test(codes)) return 401;
  if (/permission/i.test(codes)) return 403;
  if (/overloaded/i.test(codes)) return 529;
  if (/request_too_large/i.test(codes)) return 413;
  if (/not_found/i.test(codes)) return 404;
  if (/timeout/i.test(codes)) return 408;
  if (/invalid_request|invalid_argument|bad_request/i.test(codes)) return 400;
  return undefined;
}

/** Sent where a wire asks for some key and the endpoint has none. */
const NO_KEY = "no-key-required";

function advice(code: ModelFailure["code"], asked: Asked, output: string): string {
  const names = asked.keyEnv.slice(0, 2).join(" or ");
  switch (code) {
    case "auth": {
      const { key, keyOrigin } = asked;
      if (key !== undefined && key !== NO_KEY)
        return ` Check ${keyOrigin ?? (names === "" ? "the key" : names)} (\`hermes setup\`).`;
      return keyOrigin === undefined
        ? ` No key was sent: set ${names === "" ? "the key" : names} (\`hermes setup\`).`
        : ` No key was sent, because ${keyOrigin}. Set it with \`hermes setup\`.`;
    }
    case "billing":
      return " The account needs credit, or choose another provider with `hermes model`.";
    case "model_not_found":
      // Without a message the server may not serve models at all.
      return `${output === "" ? " Is the base URL right?" : ""} Is "${asked.model}" the right name? \`hermes model\` lists what there is.`;
    default:
      return "";
  }
}

/** Seconds, a date, or milliseconds; `undefined` when the provider asks for nothing sensible. */
function retryAfter(headers: WireReply["headers"], now: number): number | undefined {
  const milliseconds = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] !== undefined && Number.isFinite(milliseconds) && milliseconds >= 0)
    return milliseconds;
  const value = headers["retry-after"]?.trim();
  if (value === undefined || value === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.round(seconds * 1000) : undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

async function readSome(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > 65_536) break;
    }
  } catch {
    // A connection that breaks inside an error message: the status is known, and the words so far will do.
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One short line without control characters, our key, or anything that looks like one. */
function mask(message: string, key: string | undefined): string {
  const withoutKey = key === undefined || key.length < 4 ? message : message.replaceAll(key, "[key]");
  const line = withoutKey
    .replace(/\b(sk|pk|gsk|xai|hf|nvapi|AIza|ghp|gho|ghu|key)[-_]?[A-Za-z0-9*._-]{12,}/g, "[key]")
    .replace(/\b(bearer)\s+\S+/gi, "$1 [key]")
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > 600 ? `${line.slice(0, 600)}…` : line;
}
