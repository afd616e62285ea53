import { isObject, type GuardedFetch, type Json, type JsonObject } from "hermes-agent/plugin";
import { HttpRefusal, pacedHttp, type UploadedFile } from "hermes-agent/platform";

export interface BotApi {
  /** @throws {HttpRefusal} */
  call(
    method: string,
    params?: JsonObject,
    options?: {
      readonly signal?: AbortSignal;
      readonly timeoutMs?: number;
      /** The longest requested pause that the call waits for. Default 0. */
      readonly waitMs?: number;
      /** A file to upload with the request. */ readonly file?: UploadedFile;
    },
  ): Promise<Json>;
  /** The bytes of a received file. */
  download(filePath: string, maxBytes: number): Promise<Uint8Array>;
}

/** Requests to one bot. Every URL contains its token; error messages never do. */
export function botApi(
  fetch: GuardedFetch,
  baseUrl: string,
  token: string,
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>,
): BotApi {
  const label = URL.canParse(baseUrl) ? new URL(baseUrl).host : "Telegram";
  const http = pacedHttp({
    fetch,
    label,
    secrets: [token],
    sleep,
    reason: (body) => (isObject(body) && typeof body["description"] === "string" ? body["description"] : undefined),
  });
  return {
    async call(method, params = {}, { signal, file, timeoutMs, waitMs = 0 } = {}) {
      const { status, body } = await http.request(`${baseUrl}/bot${token}/${method}`, {
        what: method,
        method: "POST",
        ...(file === undefined ? { json: params } : { upload: { fields: params, files: [file] } }),
        bucket: `${method} ${String(params["chat_id"] ?? "")}`,
        timeoutMs,
        waitMs,
        signal,
      });
      if (isObject(body) && body["ok"] === true) return body["result"] ?? null;
      // Without a refusal that can be read, the request may have been carried out: a page of a proxy, a cut answer.
      throw new HttpRefusal(`${label} answered ${method} with status ${status} and nothing that can be read`, {
        status,
        unsure: true,
      });
    },
    download: (filePath, maxBytes) =>
      http.download(`${baseUrl}/file/bot${token}/${filePath}`, { maxBytes, what: "a file" }),
  };
}
