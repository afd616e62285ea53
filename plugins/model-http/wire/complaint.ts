import type { WireReply } from "./http.ts";

/** An error reported by a provider (status, JSON body, event of a running stream). */
export interface Complaint {
  readonly status?: number;
  /** The service's error codes, joined: `insufficient_quota invalid_request_error`. */
  readonly codes: string;
  readonly message: string;
  /** The field of the request that it is about, where the provider names one: `reasoning.effort`. */
  readonly param?: string;
  readonly retryAfterMs?: number;
}

/** Reads an error reply. Never rejects; takes at most 64 kB of its body. */
export async function readComplaint(reply: WireReply, now: number = Date.now()): Promise<Complaint> {
  const text = await readSome(reply.body);
  reply.release(true);
  const value = parse(text);
  const complaint = complaintOf(value) ?? looseComplaint(value);
  const retryAfterMs = retryAfter(reply.headers, now) ?? complaint?.retryAfterMs;
  return {
    status: reply.status,
    codes: complaint?.codes ?? "",
    // Use only plain sentences: a proxy's HTML page or punctuation alone does not help.
    message: complaint?.message ?? (/^\s*</.test(text) || !/\p{L}/u.test(text) ? "" : text),
    param: complaint?.param,
    retryAfterMs,
  };
}

type Fields = { readonly [name: string]: unknown };

/** The fields in which providers put an error's text, its code and the parameter it is about; the first present counts. */
const MESSAGES = [
  "message",
  "Message",
  "error_message",
  "errorMessage",
  "error_msg",
  "errmsg",
  "err_msg",
  "msg",
  "status_msg",
  "detail",
  "details",
  "faultstring",
  "title",
  "error",
];
const CODES = [
  "code",
  "Code",
  "type",
  "__type",
  "status",
  "error_code",
  "errorCode",
  "errcode",
  "error_type",
  "status_code",
  "raw_status_code",
];
const PARAMS = ["param", "parameter", "field", "loc", "property"];
/** Parts of an answer: an object that has one is not an error merely because it has a code or a message. */
const ANSWERS = ["choices", "content", "candidates", "output", "data", "delta"];

/** The complaint in a JSON value, in any of the shapes providers use; `undefined` when it is none. */
export function complaintOf(value: unknown): Complaint | undefined {
  const record = recordOf(Array.isArray(value) ? value[0] : value);
  if (record === undefined) return undefined;
  const inner = innerOf(record);
  if (inner === undefined) return undefined;
  if (typeof inner === "string") return { codes: codesOf(record).join(" "), message: inner, ...paramOf(record) };
  return detailed(inner);
}

/** What an error is wrapped in. */
function innerOf(record: Fields): Fields | string | undefined {
  const { error } = record;
  if (typeof error === "string" && error !== "")
    // Spring and others: `error` is the reason phrase, and `message` says more.
    return typeof record["message"] === "string" && record["message"] !== "" ? record : error;
  if (Array.isArray(error)) return error.map(textOfItem).filter(Boolean).join("; ");
  const nested = recordOf(error);
  if (nested !== undefined) return nested;
  // MiniMax puts it beside the choices, and 0 is success.
  const base = recordOf(record["base_resp"]);
  if (base !== undefined && Number(base["status_code"] ?? 0) !== 0) return base;
  // Cloudflare, Hugging Face, JSON:API
  const { errors } = record;
  if (Array.isArray(errors) && errors.length > 0) return listed(errors);
  // Tencent Cloud
  const response = recordOf(recordOf(record["Response"])?.["Error"]);
  if (response !== undefined) return response;
  const fault = recordOf(record["fault"]);
  if (fault !== undefined) return fault;
  if (record["object"] === "error" || record["type"] === "error") return record;
  if (isAnswer(record)) return undefined;
  // FastAPI: one sentence, a record, or a list of what is wrong where.
  const { detail } = record;
  if (typeof detail === "string" && detail !== "") return record;
  if (Array.isArray(detail) && detail.length > 0) return listed(detail);
  const about = recordOf(detail);
  if (about !== undefined) return innerOf(about) ?? about;
  return isPlainError(record) ? record : undefined;
}

function isAnswer(record: Fields): boolean {
  return ANSWERS.some((name) => {
    const part = record[name];
    return part !== undefined && part !== null && !(Array.isArray(part) && part.length === 0);
  });
}

/** `{ "code": 1261, "message": "…" }`: a text beside a code, or a field that only errors have. */
function isPlainError(record: Fields): boolean {
  if (
    ["error_message", "error_msg", "errorMessage", "errmsg", "err_msg", "__type"].some((name) => isText(record[name]))
  )
    return true;
  const { type } = record;
  if (typeof type === "string" && /error|exception|problem/i.test(type))
    return MESSAGES.some((name) => isText(record[name]));
  if (!["message", "Message", "msg", "title"].some((name) => isText(record[name]))) return false;
  return ["code", "Code", "status", "error_code", "errcode", "status_code"].some((name) => {
    const code = record[name];
    return typeof code === "number" ? code !== 0 && code !== 200 : isText(code) && !/^(0|200|ok|success)$/i.test(code);
  });
}

/** An error reply needs no sign that it is an error: any text of it is the provider's message. */
function looseComplaint(value: unknown): Complaint | undefined {
  const record = recordOf(Array.isArray(value) ? value[0] : value);
  if (record === undefined || !MESSAGES.some((name) => isText(record[name]))) return undefined;
  return detailed(record);
}

function listed(items: readonly unknown[]): Fields {
  const records = items.map((item) => recordOf(item) ?? {});
  const first = records[0] ?? {};
  return {
    ...Object.fromEntries(CODES.map((name) => [name, first[name]])),
    message: items.map(textOfItem).filter(Boolean).join("; "),
    param: records.flatMap((record) => paramOf(record).param ?? [])[0],
  };
}

function textOfItem(item: unknown): string {
  if (typeof item === "string") return item;
  const record = recordOf(item) ?? {};
  const text = MESSAGES.map((name) => record[name]).find(isText) ?? JSON.stringify(item);
  const { param } = paramOf(record);
  return param === undefined ? text : `${param}: ${text}`;
}

function detailed(error: Fields): Complaint {
  const metadata = recordOf(error["metadata"]);
  const raw = isText(metadata?.["raw"]) ? ` ${metadata["raw"]}` : "";
  const inner = recordOf(error["innererror"]);
  const status = [error["code"], error["status"], error["http_status"], error["status_code"], error["http_code"]]
    .map(Number)
    .find((number) => number >= 400 && number < 600);
  const message =
    MESSAGES.map((name) => error[name]).find(isText) ?? nestedText(error["message"]) ?? JSON.stringify(error);
  return {
    status,
    // OpenRouter says there which limit was reached.
    codes: [
      ...codesOf(error),
      ...(inner === undefined ? [] : codesOf(inner)),
      ...[metadata?.["limit_source"]].filter(isText),
    ].join(" "),
    message: `${message}${raw}${typeof error["n_ctx"] === "number" ? ` (n_ctx: ${error["n_ctx"]})` : ""}`,
    ...paramOf(error),
    ...retryIn(error["details"]),
  };
}

/** Mistral: `"message": { "detail": [{ "loc": ["body", "temperature"], "msg": "…" }] }`. */
function nestedText(message: unknown): string | undefined {
  const record = recordOf(message);
  if (record === undefined) return undefined;
  return complaintOf(record)?.message ?? (Object.keys(record).length === 0 ? undefined : JSON.stringify(record));
}

function codesOf(error: Fields): string[] {
  return CODES.map((name) => error[name]).flatMap((code) =>
    isText(code) ? [code] : typeof code === "number" && (code >= 600 || code < 400) && code !== 0 ? [String(code)] : [],
  );
}

function paramOf(error: Fields): Pick<Complaint, "param"> {
  for (const name of PARAMS) {
    const value = error[name];
    if (isText(value)) return { param: value };
    if (Array.isArray(value) && value.length > 0) return { param: value.filter((step) => step !== "body").join(".") };
  }
  const inner = recordOf(error["message"]);
  const found = inner === undefined ? undefined : complaintOf(inner)?.param;
  return found === undefined ? {} : { param: found };
}

/** Google says in the body how long to wait: `{ retryDelay: "7s" }`. */
function retryIn(details: unknown): Pick<Complaint, "retryAfterMs"> {
  const delay = (Array.isArray(details) ? (details as readonly ({ readonly retryDelay?: unknown } | null)[]) : [])
    .map((detail) => detail?.retryDelay)
    .find((output) => typeof output === "string");
  const seconds = delay === undefined ? Number.NaN : Number(delay.replace(/s$/, ""));
  return Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: Math.round(seconds * 1000) } : {};
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

function recordOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
