import type { Client } from "@modelcontextprotocol/client";
import type { Json, JsonObject } from "hermes-agent/plugin";
import { plainText } from "../tools/clean-definition.ts";

/** Longer than any call. */
const NO_LIMIT_MS = 2_147_483_647;

/** What is sent back is taken as it is: its form is judged by whoever reads it. */
const ANYTHING = { "~standard": { version: 1, vendor: "hermes", validate: (value: unknown) => ({ value }) } } as const;

/** One request, however long its answer takes: what ends it is the caller's signal. */
export async function ask(client: Client, method: string, params: JsonObject, signal: AbortSignal): Promise<Json> {
  return (await client.request({ method, params } as never, ANYTHING as never, {
    signal,
    timeout: NO_LIMIT_MS,
  })) as Json;
}

export interface Reading {
  readonly words: string;
  readonly isGone: boolean;
  readonly isSessionGone: boolean;
  readonly isSignIn: boolean;
  /** Another way to the same server would meet the same. */
  readonly isFinal: boolean;
}

/** What a request that failed tells. */
export async function reading(cause: unknown): Promise<Reading> {
  const { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } =
    await import("@modelcontextprotocol/client");
  const status = cause instanceof SdkHttpError ? cause.status : undefined;
  const gone =
    cause instanceof SdkError &&
    [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed].includes(cause.code);
  const message = cause instanceof Error ? cause.message : String(cause);
  const refused = status !== undefined && [400, 404, 405, 406, 415].includes(status);
  return {
    words: plainText(status === undefined ? message : `it answered with status ${status}`, 1_500).replace(
      /[.\s]+$/,
      "",
    ),
    isGone: gone || (!(cause instanceof ProtocolError) && status === undefined),
    // Some say it in a way of their own.
    isSessionGone: status === 404 || status === 400,
    isSignIn: cause instanceof UnauthorizedError || status === 401,
    isFinal: !refused,
  };
}
