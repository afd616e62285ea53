import type { Client } from "@modelcontextprotocol/client";
import type { Json, JsonObject } from "hermes-agent/plugin";
import { plainText } from "../tools/clean-definition.ts";

/** Longer than any call; the caller's signal ends a request. */
const NO_LIMIT_MS = 2_147_483_647;

/** Accepts any result; the reader validates its form. */
const ANYTHING = { "~standard": { version: 1, vendor: "hermes", validate: (value: unknown) => ({ value }) } } as const;

/** Sends one request without a timeout of the package; the caller's signal ends it. */
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
  /** Errors that another transport to the same server would also meet. */
  readonly isFinal: boolean;
}

/** The message of a failed request. */
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
    words: plainText(status === undefined ? message : `the server answered with status ${status}`, 1_500).replace(
      /[.\s]+$/,
      "",
    ),
    isGone: gone || (!(cause instanceof ProtocolError) && status === undefined),
    // Some servers report it in a non-standard way.
    isSessionGone: status === 404 || status === 400,
    isSignIn: cause instanceof UnauthorizedError || status === 401,
    isFinal: !refused,
  };
}
