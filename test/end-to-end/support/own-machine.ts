import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";

/**
 * Fails if anything answers at this port under an address that others could reach. Also works if the machine has no
 * other interface: a server
 * that listens everywhere answers on all of 127.0.0.0/8.
 */
export async function reachedFromHereOnly(port: number): Promise<void> {
  const others = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4");
  for (const host of ["127.0.0.2", ...others.map(({ address }) => address)]) {
    const socket = connect({ host, port, timeout: 10_000 });
    const [error] = await Promise.race([
      once(socket, "error"),
      once(socket, "connect").then(() => ["it answered"]),
      once(socket, "timeout"),
    ]);
    socket.destroy();
    assert.notEqual(error, "it answered", host);
  }
}
