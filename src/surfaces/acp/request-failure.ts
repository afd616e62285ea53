import { RequestError } from "@agentclientprotocol/sdk/unstable";
import type { App } from "../../contract/services/app.ts";
import { UserError } from "../../contract/common/failure.ts";
import { asTyped } from "../shared/process/called-as.ts";

/** Error codes of JSON-RPC and of the protocol. */
const CODE = { params: -32602, broken: -32603, notFound: -32002 } as const;

/** An invalid request of the editor; the user sees the message. */
export function badRequest(message: string): RequestError {
  return new RequestError(CODE.params, message);
}

export function noSession(id: string): RequestError {
  return new RequestError(
    CODE.notFound,
    `There is no session "${id}" here. session/list returns the sessions that can be loaded.`,
  );
}

/** A failed turn, or an unexpected error. */
export function failed(message: string): RequestError {
  return new RequestError(CODE.broken, message);
}

/** Converts an error for the editor. An unexpected error is also logged with its stack. */
export function requestFailure(cause: unknown, { log, mask }: Pick<App, "log" | "mask">): RequestError {
  if (cause instanceof RequestError) return cause;
  if (cause instanceof UserError)
    return badRequest(mask(asTyped([cause.message, cause.hint].filter((words) => words !== undefined).join(" "))));
  log.error("A request of the editor failed unexpectedly.", { cause });
  return failed(
    mask(`Internal error in Hermes: ${cause instanceof Error ? cause.message : String(cause)} (see the log)`),
  );
}
