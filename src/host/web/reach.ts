import type { Socket } from "node:net";
import { ToolFailure } from "../../contract/common/failure.ts";
import { openTunnel } from "./proxy.ts";
import type { Proxy } from "./proxy-credentials.ts";

/** A judged address, under the name it was asked for by, and the way to it. */
export interface Place {
  readonly url: URL;
  readonly address: string;
  readonly port: number;
  readonly proxy: Proxy | undefined;
}

const CONNECT_MS = 20_000;

/**
 * A connection to the checked address, through the user's proxy if there is one. The timeout covers connecting; after
 * that it lasts until either side closes it, or until `stop`.
 */
export async function reach(
  { url, address, port, proxy }: Place,
  stop: AbortSignal,
  connectMs: number = CONNECT_MS,
): Promise<Socket> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), connectMs);
  const signal = AbortSignal.any([stop, late.signal]);
  try {
    return await (proxy === undefined
      ? connected(url, address, port, signal)
      : openTunnel(proxy, address, port, signal));
  } catch (cause) {
    throw late.signal.aborted
      ? new ToolFailure("unreachable", `${url.host} did not answer within ${connectMs / 1000} s.`, { cause })
      : cause;
  } finally {
    clearTimeout(timer);
  }
}

function connected(url: URL, host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = process.getBuiltinModule("node:net").connect({ host, port, signal });
    socket.once("connect", () => resolve(socket));
    socket.on("error", (cause: NodeJS.ErrnoException) =>
      reject(new ToolFailure("unreachable", `${url.host} cannot be reached (${cause.code ?? "closed"}).`, { cause })),
    );
  });
}
