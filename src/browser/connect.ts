import { ToolFailure } from "../contract/common/failure.ts";
import type { GuardedSocket, OpenSocket } from "../contract/providers/web.ts";
import { isObject } from "../contract/common/is-object.ts";
import type { DevTools } from "./dev-tools.ts";
import { overSocket } from "./over-socket.ts";

const WAIT_MS = 5_000;

/** Pictures of long pages come as one message. */
const MESSAGE_BYTES = 256_000_000;

/**
 * A browser that the user started with remote debugging.
 * @param endpoint `http://127.0.0.1:9222` or the browser's `ws://` address, as the user wrote it.
 * @throws {ToolFailure} `unavailable` if none answers.
 */
export async function connectTo(endpoint: string, openSocket: OpenSocket): Promise<DevTools> {
  const url = await socketAddress(endpoint);
  let socket: GuardedSocket;
  try {
    socket = await openSocket(url, { own: true, timeoutMs: WAIT_MS, maxMessageBytes: MESSAGE_BYTES });
  } catch (cause) {
    throw cause instanceof ToolFailure && cause.code === "blocked" ? cause : notThere(endpoint, cause);
  }
  return overSocket(socket, (why) => `The connection to your browser is lost: ${why}.`);
}

/** Where the browser itself is spoken to. @throws {ToolFailure} `unavailable` where nothing says so. */
export async function socketAddress(endpoint: string): Promise<string> {
  if (/^wss?:\/\/[^/]+\/devtools\//.test(endpoint)) return endpoint;
  const url = URL.parse(endpoint.replace(/^ws/, "http"));
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ToolFailure("bad_arguments", `"${endpoint}" is not the address of a browser.`, {
      hint: "Example: http://127.0.0.1:9222, for a browser started with --remote-debugging-port=9222.",
    });
  const version = await ask(new URL("/json/version", url), endpoint);
  const message =
    isObject(version) && typeof version["webSocketDebuggerUrl"] === "string"
      ? URL.parse(version["webSocketDebuggerUrl"])
      : null;
  if (message === null) throw notThere(endpoint);
  // It names itself as it was asked for; a proxy before it may have another name.
  return `${url.protocol === "https:" ? "wss" : "ws"}://${url.host}${message.pathname}`;
}

function ask(url: URL, endpoint: string): Promise<unknown> {
  const { get } =
    url.protocol === "https:" ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
  return new Promise((resolve, reject) => {
    const failed = () => reject(notThere(endpoint));
    const asked = get(url, { timeout: WAIT_MS, agent: false }, (reply) => {
      let text = "";
      reply
        .setEncoding("utf8")
        .on("data", (chunk: string) => (text.length > 1_000_000 ? reply.destroy() : (text += chunk)));
      reply.on("error", failed).on("close", () => {
        try {
          resolve(JSON.parse(text));
        } catch {
          failed();
        }
      });
    });
    asked.on("error", failed).on("timeout", () => {
      asked.destroy();
      failed();
    });
  });
}

function notThere(endpoint: string, cause?: unknown): ToolFailure {
  return new ToolFailure("unavailable", `No browser answers at ${endpoint}.`, {
    cause,
    hint: "Start it with --remote-debugging-port=9222 and a separate --user-data-dir.",
  });
}
