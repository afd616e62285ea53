import {
  definedFields,
  ToolFailure,
  type GuardedFetch,
  type Json,
  type JsonObject,
  parseExact,
} from "hermes-agent/plugin";
import { multipart, type UploadedFile } from "./multipart.ts";

/** An error of the Bot API with its message; code 0 if the API was not reachable. */
export class BotApiError extends Error {
  readonly code: number;
  readonly retryAfterMs: number | undefined;
  /** Whether the request may have been executed. */
  readonly unsure: boolean;

  constructor(
    message: string,
    options: {
      readonly code: number;
      readonly retryAfterMs?: number;
      readonly unsure?: boolean;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = "BotApiError";
    this.code = options.code;
    this.retryAfterMs = options.retryAfterMs;
    this.unsure = options.unsure ?? false;
  }
}

export interface BotApi {
  call(
    method: string,
    params?: JsonObject,
    options?: {
      readonly signal?: AbortSignal;
      readonly timeoutMs?: number;
      /** A file to upload with the request. */ readonly file?: UploadedFile;
    },
  ): Promise<Json>;
  /** The bytes of a received file. */
  download(filePath: string, maxBytes: number): Promise<Uint8Array>;
}

const UPLOAD_MS = 300_000;

/** Requests to one bot. Every URL contains its token; error messages never do. */
export function botApi(fetch: GuardedFetch, baseUrl: string, token: string): BotApi {
  const where = URL.canParse(baseUrl) ? new URL(baseUrl).host : "Telegram";
  return {
    async call(method, params = {}, { signal, file, timeoutMs = file === undefined ? 30_000 : UPLOAD_MS } = {}) {
      let status = 0;
      let answer: unknown;
      try {
        const { contentType, body } =
          file === undefined
            ? { contentType: "application/json", body: JSON.stringify(params) }
            : multipart(params, file);
        const response = await fetch(
          `${baseUrl}/bot${token}/${method}`,
          definedFields({
            method: "POST",
            headers: { "content-type": contentType },
            body,
            timeoutMs,
            signal,
          }),
        );
        status = response.status;
        answer = parsed(await response.text());
      } catch (cause) {
        if (signal?.aborted === true) throw cause;
        throw new BotApiError(withoutToken(`${method}: ${(cause as Error).message}`, token), {
          code: 0,
          unsure: !neverSent(cause),
        });
      }
      const readable = typeof answer === "object" && answer !== null;
      const { ok, result, description, parameters } = (readable ? answer : {}) as {
        readonly ok?: boolean;
        readonly result?: Json;
        readonly description?: string;
        readonly parameters?: { readonly retry_after?: number };
      };
      if (ok === true) return result ?? null;
      // Without a refusal that can be read, the request may have been carried out: a page of a proxy, a cut answer.
      if (ok !== false && (status < 300 || (!readable && status >= 500 && status !== 503)))
        throw new BotApiError(`${where} answered ${method} with status ${status} and nothing that can be read`, {
          code: status,
          unsure: true,
        });
      const seconds = parameters?.retry_after;
      throw new BotApiError(withoutToken(`${where} refused ${method}: ${description ?? `status ${status}`}`, token), {
        code: status,
        retryAfterMs: typeof seconds === "number" ? seconds * 1_000 : undefined,
      });
    },
    async download(filePath, maxBytes) {
      try {
        const reply = await fetch(`${baseUrl}/file/bot${token}/${filePath}`, { maxBytes, timeoutMs: 120_000 });
        if (reply.status !== 200) throw new Error(`status ${reply.status}`);
        return await reply.bytes();
      } catch (cause) {
        throw new BotApiError(
          withoutToken(`Cannot download a file from ${where}: ${(cause as Error).message}`, token),
          { code: 0 },
        );
      }
    },
  };
}

/** The request was not sent: no server, or the guard refused it. */
function neverSent(cause: unknown): boolean {
  if (cause instanceof ToolFailure && cause.code === "blocked") return true;
  const { code } = ((cause as Error).cause ?? cause) as { readonly code?: string };
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"].includes(code ?? "");
}

function withoutToken(text: string, token: string): string {
  return token === "" ? text : text.replaceAll(token, "[token]");
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined; // A proxy's page or a truncated response; use only the status.
  }
}
