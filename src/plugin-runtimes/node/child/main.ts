/**
 * Runs plugins in a separate Node process: messages on descriptor 3, requests that cannot wait for the event loop on 4.
 * See docs/plugin-protocol.md.
 */
import { Socket } from "node:net";
import type { JsonObject } from "../../../contract/common/json.ts";
import { Peer, PeerError } from "../../process/peer.ts";
import { thrownThere } from "../../process/thrown-there.ts";
import { ChildPlugins } from "./child-plugins.ts";
import { deniedAccess } from "./denied-access.ts";
import { holdLifeline } from "./lifeline.ts";

const PROTOCOL = 1;
let ending: Promise<null> | undefined;

// It is for this process, not for programs that plugins start.
delete process.env["NODE_COMPILE_CACHE"];

const wire = new Socket({ fd: 3, readable: true, writable: true });
const plugins = new ChildPlugins({
  request: (method, params, signal) =>
    (signal === undefined ? peer.request(method, params) : peer.requestUntil(signal, method, params)).catch(
      asThrownThere,
    ),
  notify: (method, params) => peer.notify(method, params),
});
const peer: Peer = new Peer(
  {
    write: (line) => void wire.write(line),
    answer: async (method, params, id) => {
      if (method === "ping") return {};
      if (method === "initialize") return initialize(params);
      if (method === "shutdown") return end();
      return plugins.answer(method, params, String(id)).catch((cause: unknown) => Promise.reject(deniedAccess(cause)));
    },
    take: (method, params) => {
      if (method === "cancel") plugins.cancel(String(params["id"]));
      if (method === "object.release") plugins.release(String(params["plugin"]), (params["refs"] ?? {}) as JsonObject);
    },
    garbage: (line) => process.stderr.write(`The agent sent an invalid message: ${line.slice(0, 200)}\n`),
    overlong: () => {
      process.stderr.write("The agent sent a message of more than 64 MB.\n");
      process.exit(1);
    },
  },
  "p",
);

// Ctrl-C in the terminal, and a supervisor's signal to all processes of a service, are for the agent, which shuts this
// process down in order.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
process.on("uncaughtException", (cause) => plugins.strayError(cause));
process.on("unhandledRejection", (cause) => plugins.strayError(cause));
wire.setEncoding("utf8");
wire.on("data", (text: string) => peer.receive(text));
wire.on("error", () => undefined);
wire.on("end", () => void end());

/** A refusal of the agent as plugins know it: a `ToolFailure` with its code. */
function asThrownThere(cause: unknown): never {
  throw cause instanceof PeerError ? thrownThere(cause) : cause;
}

/** Runs at the agent's request and when the wire closes; both wait for the same shutdown. */
function end(): Promise<null> {
  return (ending ??= plugins.unloadAll().then(() => (setImmediate(() => process.exit(0)), null)));
}

async function initialize(params: JsonObject): Promise<JsonObject> {
  if (params["protocol"] !== PROTOCOL) throw new Error(`This runtime supports protocol ${PROTOCOL}.`);
  holdLifeline();
  const { hosts } = params;
  if (Array.isArray(hosts)) {
    const { restrictNetwork } = await import("./restrict-network.ts");
    restrictNetwork(hosts.map(String));
    const { restrictProcess } = await import("./restrict-process.ts");
    restrictProcess();
  }
  return { protocol: PROTOCOL, host: "node", version: process.versions.node };
}
