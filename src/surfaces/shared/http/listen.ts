import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isIP } from "node:net";
import { UserError } from "../../../contract/common/failure.ts";

export interface Listening {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** What else may use the port: `another dashboard`. */
  readonly rival: string;
  /** How to choose another port, or another address. */
  readonly hints: { readonly port: string; readonly host: string };
}

/**
 * Starts listening.
 * @returns the address, with a slash at the end.
 * @throws {UserError} if the address cannot be used.
 */
export async function listenOn(server: Server, listening: Listening): Promise<string> {
  const { host, port } = listening;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => reject(cannotListen(cause, listening)));
    server.listen(port, host, resolve);
  });
  return `http://${shownHost(host)}:${(server.address() as AddressInfo).port}/`;
}

/** Whether only local programs can reach the address. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function shownHost(host: string): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return reachable.includes(":") ? `[${reachable}]` : reachable;
}

function cannotListen(cause: NodeJS.ErrnoException, { host, port, rival, hints }: Listening): UserError {
  if (cause.code === "EADDRINUSE")
    return new UserError(
      `Port ${port} of ${host} is in use by another program${isLoopbackHost(host) ? ` or ${rival}` : ""}.`,
      { hint: hints.port, cause },
    );
  if (cause.code === "EACCES")
    return new UserError(`Your user may not listen on port ${port}.`, {
      hint: "Choose a port of 1024 or above.",
      cause,
    });
  return new UserError(`Cannot listen on ${host}, port ${port}: ${cause.message}`, { hint: hints.host, cause });
}
