import type { Socket } from "node:net";
import { isIP } from "node:net";
import { readAddress } from "../../safety/urls/read-address.ts";
import { credentialsOf, type Proxy } from "./proxy-credentials.ts";

const REPLIES: { readonly [code: number]: string } = {
  1: "general failure",
  2: "not allowed by its rules",
  3: "network unreachable",
  4: "host unreachable",
  5: "connection refused",
  6: "time to live expired",
  7: "command not supported",
  8: "address type not supported",
};

/**
 * Asks a SOCKS4, SOCKS4a or SOCKS5 proxy (RFC 1928, RFC 1929) for a connection over an open socket to it.
 * @param host An address, or a name that the proxy resolves.
 * @throws {Error} whose message says what the proxy did.
 */
export async function askSocks(socket: Socket, { url, protocol }: Proxy, host: string, port: number): Promise<void> {
  const read = reader(socket);
  if (protocol === "socks4") await askFour(socket, read, url, host, port);
  else await askFive(socket, read, url, host, port);
}

type Read = (bytes: number) => Promise<Buffer>;

async function askFive(socket: Socket, read: Read, url: URL, host: string, port: number): Promise<void> {
  const { username, password } = credentialsOf(url);
  socket.write(username === "" ? Buffer.of(5, 1, 0) : Buffer.of(5, 2, 0, 2));
  const [version, method] = await read(2);
  if (version !== 5) throw new Error("is not a SOCKS5 proxy");
  if (method === 2 && username !== "") {
    socket.write(Buffer.concat([Buffer.of(1), counted(username, "user name"), counted(password, "password")]));
    const [, status] = await read(2);
    if (status !== 0) throw new Error("rejected the user name or the password in its address");
  } else if (method !== 0)
    throw new Error(
      username === ""
        ? "wants a user name and a password; write them into its address"
        : "offers no way to sign in that Hermes knows",
    );
  socket.write(Buffer.concat([Buffer.of(5, 1, 0), placeOf(host), portOf(port)]));
  const [replyVersion, status = 255, , kind] = await read(4);
  if (replyVersion !== 5) throw new Error("is not a SOCKS5 proxy");
  if (status !== 0) throw new Error(`refused a tunnel to ${host}:${port} (${REPLIES[status] ?? `code ${status}`})`);
  const length = kind === 1 ? 4 : kind === 4 ? 16 : kind === 3 ? (await read(1))[0]! : undefined;
  if (length === undefined) throw new Error("is not a SOCKS5 proxy");
  await read(length + 2);
}

async function askFour(socket: Socket, read: Read, url: URL, host: string, port: number): Promise<void> {
  const family = isIP(host);
  if (family === 6) throw new Error("speaks SOCKS4, which has no IPv6; use socks5://");
  const { username } = credentialsOf(url);
  if (username.includes("\0")) throw new Error("has a user name that cannot be sent");
  // 0.0.0.1 announces a name (SOCKS4a).
  const address = family === 4 ? Buffer.from(readAddress(host)!.parts) : Buffer.of(0, 0, 0, 1);
  const name = family === 4 ? "" : `${host}\0`;
  socket.write(Buffer.concat([Buffer.of(4, 1), portOf(port), address, Buffer.from(`${username}\0${name}`)]));
  const [version, status] = await read(8);
  if (version !== 0) throw new Error("is not a SOCKS4 proxy");
  if (status !== 90) throw new Error(`refused a tunnel to ${host}:${port} (code ${status})`);
}

function placeOf(host: string): Buffer {
  const address = isIP(host) === 0 ? undefined : readAddress(host);
  if (address === undefined) return Buffer.concat([Buffer.of(3), counted(host, "name")]);
  if (address.family === 4) return Buffer.of(1, ...address.parts);
  return Buffer.of(4, ...address.parts.flatMap((group) => [group >> 8, group & 255]));
}

const portOf = (port: number): Buffer => Buffer.of(port >> 8, port & 255);

function counted(text: string, what: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error(`cannot be sent a ${what} of more than 255 bytes`);
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

/** Reads exactly so many bytes: what follows belongs to the tunnel. */
function reader(socket: Socket): Read {
  return async (bytes) => {
    let held = Buffer.alloc(0);
    for (;;) {
      const chunk = socket.read() as Buffer | null;
      if (chunk !== null) held = Buffer.concat([held, chunk]);
      if (held.length >= bytes) {
        if (held.length > bytes) socket.unshift(held.subarray(bytes));
        return held.subarray(0, bytes);
      }
      if (socket.readableEnded || socket.destroyed) throw new Error("closed the connection");
      const { promise, resolve } = Promise.withResolvers<void>();
      const events = ["readable", "end", "close", "error"] as const;
      for (const event of events) socket.once(event, resolve);
      await promise;
      for (const event of events) socket.off(event, resolve);
    }
  };
}
