import type { ChildProcess } from "node:child_process";
import type { Server, Socket } from "node:net";
import type { GuardedProxy } from "hermes-agent/plugin";

/** In a separate network every port is free. */
const PORT = 53_128;
const ADDRESS = `http://127.0.0.1:${PORT}`;
/** Programs reach servers of the same sandbox without the proxy, which would look for them outside. */
const WITHIN = "localhost,127.0.0.1,::1";

/** Variables that announce the proxy to programs of each kind. */
export const PROXY_VARIABLES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
      [name, ADDRESS],
      [name.toLowerCase(), ADDRESS],
    ]),
  ),
  NO_PROXY: WITHIN,
  no_proxy: WITHIN,
  // `fetch` and `http` of Node.
  NODE_USE_ENV_PROXY: "1",
};

const HAND_OVER = `const server = require("node:net").createServer().listen(${PORT}, "127.0.0.1", () => process.send(0, server, () => process.exit()));`;
const START = `env -i NODE_CHANNEL_FD=3 "$1" -e "$2" </dev/null >/dev/null 2>&1 &
exec 3<&-
unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
shift 2
exec "$@"`;

/**
 * A command line for inside, before the shell's own: it opens a port in the sandbox's network and hands it to the agent
 * through the channel that node's child processes have. Nothing of it is left in the sandbox when the first command
 * runs.
 */
export function withOutlet(argv: readonly string[]): readonly string[] {
  return ["bash", "--norc", "--noprofile", "-c", START, "bash", process.execPath, HAND_OVER, ...argv];
}

/**
 * Takes that port. A connection to it inside reaches the proxy in the agent, which opens with the first connection.
 * @throws The sandbox ended, or node cannot run in it.
 */
export async function takeOutlet(child: ChildProcess, openProxy: () => Promise<GuardedProxy>): Promise<Disposable> {
  const server = await new Promise<Server>((resolve, reject) => {
    let port: Server | undefined;
    child.once("message", (_, handle) => (port = handle as Server));
    // The other end closes when the helper has ended: then no process inside can write into the channel.
    child.once("disconnect", () =>
      port === undefined ? reject(new Error("Cannot open the proxy's port in the sandbox.")) : resolve(port),
    );
  });
  server.unref();
  const sockets = new Set<Socket>();
  let proxy: Promise<GuardedProxy> | undefined;
  server.on("connection", (socket) => {
    sockets.add(socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket)));
    (proxy ??= openProxy()).then((guard) => guard.serve(socket)).catch(() => socket.destroy());
  });
  return {
    [Symbol.dispose]: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      proxy?.then((guard) => guard[Symbol.dispose]()).catch(() => {});
    },
  };
}
