import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isIP } from "node:net";
import { UserError } from "../../../contract/common/failure.ts";

export interface Listening {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** Who else may have the port: `another dashboard`. */
  readonly rival: string;
  /** How another port is taken, and how another address. */
  readonly hints: { readonly port: string; readonly host: string };
}

/** Has a server listen. @returns its address, with a slash at the end. @throws {UserError} when nobody can listen there. */
export async function listenOn(server: Server, listening: Listening): Promise<string> {
  const { host, port } = listening;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => reject(cannotListen(cause, listening)));
    server.listen(port, host, resolve);
  });
  return `http://${shownHost(host)}:${(server.address() as AddressInfo).port}/`;
}

/** An address that only programs of this machine reach. */
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
      `Port ${port} of ${host} is taken by another program${isLoopbackHost(host) ? `, or by ${rival}` : ""}.`,
      { hint: hints.port, cause },
    );
  if (cause.code === "EACCES")
    return new UserError(`This user may not listen on port ${port}.`, {
      hint: "Ports from 1024 on are for everybody.",
      cause,
    });
  return new UserError(`Nobody can listen on ${host}, port ${port}: ${cause.message}`, { hint: hints.host, cause });
}
