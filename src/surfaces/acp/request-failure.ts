import { RequestError } from "@agentclientprotocol/sdk/unstable";
import type { App } from "../../contract/services/app.ts";
import { UserError } from "../../contract/common/failure.ts";
import { asTyped } from "../shared/process/called-as.ts";

/** Codes of JSON-RPC, and of the protocol on top of it. */
const CODE = { params: -32602, broken: -32603, notFound: -32002 } as const;

/** What the editor sent cannot be used; its person reads why. */
export function badRequest(message: string): RequestError {
  return new RequestError(CODE.params, message);
}

export function noSession(id: string): RequestError {
  return new RequestError(
    CODE.notFound,
    `There is no session "${id}" here. session/list names those that can be loaded.`,
  );
}

/** A turn that failed, or what broke where nobody expected it. */
export function failed(message: string): RequestError {
  return new RequestError(CODE.broken, message);
}

/** What an editor is told of an error. What nobody foresaw is in the log with its stack. */
export function requestFailure(cause: unknown, { log, mask }: Pick<App, "log" | "mask">): RequestError {
  if (cause instanceof RequestError) return cause;
  if (cause instanceof UserError)
    return badRequest(mask(asTyped([cause.message, cause.hint].filter((words) => words !== undefined).join(" "))));
  log.error("A request of the editor broke.", { cause });
  return failed(
    mask(`Something broke in Hermes: ${cause instanceof Error ? cause.message : String(cause)} (the log has more)`),
  );
}
