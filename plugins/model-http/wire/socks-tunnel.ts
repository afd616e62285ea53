import { request } from "node:http";
import { isIP } from "node:net";
import { duplexPair, type Duplex } from "node:stream";
import { connect, type TLSSocket } from "node:tls";
import type { PluginContext } from "hermes-agent/plugin";

/**
 * A TLS connection to the server through the agent's guarded proxy, which goes through the user's SOCKS proxy and checks
 * the server's address. Private addresses are allowed, as for every model service.
 */
export async function openSocksTunnel(url: URL, open: PluginContext["proxy"]): Promise<TLSSocket> {
  const guard = await open({ allowPrivate: () => true });
  const [mine, theirs] = duplexPair();
  mine.once("close", () => guard[Symbol.dispose]());
  guard.serve(theirs);
  try {
    const tunnel = await connected(mine, `${url.hostname}:${url.port === "" ? 443 : url.port}`);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    return connect(isIP(host) === 0 ? { socket: tunnel, servername: host } : { socket: tunnel, host });
  } catch (cause) {
    mine.destroy();
    throw cause;
  }
}

function connected(stream: Duplex, place: string): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const outgoing = request({
    createConnection: () => stream,
    method: "CONNECT",
    path: place,
    headers: { host: place },
  });
  const refused = async (reply: AsyncIterable<Buffer>): Promise<never> => {
    let text = "";
    for await (const chunk of reply) text += String(chunk);
    throw new Error(text.trim() || "The proxy refused the connection.");
  };
  outgoing.once("connect", (reply, socket, head: Buffer) => {
    if (reply.statusCode !== 200)
      return reject(new Error(head.toString().trim() || `The proxy answered ${reply.statusCode}.`));
    if (head.length > 0) socket.unshift(head);
    resolve(socket);
  });
  outgoing.once("response", (reply) => void refused(reply).catch(reject));
  outgoing.on("error", reject);
  outgoing.end();
  return promise;
}
