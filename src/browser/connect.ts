import { ToolFailure } from "../contract/failure.ts";
import { isObject } from "../contract/is-object.ts";
import { DevTools } from "./dev-tools.ts";

const WAIT_MS = 5_000;

/**
 * A browser that a person started and lets others drive.
 * @param endpoint `http://127.0.0.1:9222` or the browser's `ws://` address.
 * @throws {ToolFailure} `unavailable` where none answers.
 */
export async function connectTo(endpoint: string): Promise<DevTools> {
  const url = await socketAddress(endpoint);
  const tools = new DevTools();
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers<void>();
  socket.addEventListener("open", () => opened.resolve());
  socket.addEventListener("error", () => opened.reject(notThere(endpoint)));
  socket.addEventListener("close", () => tools.lost("The connection to your browser was closed."));
  socket.addEventListener("message", ({ data }) => tools.take(String(data)));
  tools.attach({ send: (text) => socket.send(text), close: () => socket.close() });
  const late = setTimeout(() => opened.reject(notThere(endpoint)), WAIT_MS);
  try {
    await opened.promise;
    return tools;
  } catch (cause) {
    socket.close();
    throw cause;
  } finally {
    clearTimeout(late);
  }
}

/** Where the browser itself is spoken to. @throws {ToolFailure} `unavailable` where nothing says so. */
export async function socketAddress(endpoint: string): Promise<string> {
  if (/^wss?:\/\/[^/]+\/devtools\//.test(endpoint)) return endpoint;
  const url = URL.parse(endpoint.replace(/^ws/, "http"));
  if (url === null || !/^https?:$/.test(url.protocol)) throw new ToolFailure("bad_arguments", `"${endpoint}" is no address of a browser.`, { hint: "http://127.0.0.1:9222, for one started with --remote-debugging-port=9222." });
  const version = await ask(new URL("/json/version", url), endpoint);
  const said = isObject(version) && typeof version["webSocketDebuggerUrl"] === "string" ? URL.parse(version["webSocketDebuggerUrl"]) : null;
  if (said === null) throw notThere(endpoint);
  // It names itself as it was asked for; a proxy before it may have another name.
  return `${url.protocol === "https:" ? "wss" : "ws"}://${url.host}${said.pathname}`;
}

function ask(url: URL, endpoint: string): Promise<unknown> {
  const { get } = url.protocol === "https:" ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
  return new Promise((resolve, reject) => {
    const failed = () => reject(notThere(endpoint));
    const asked = get(url, { timeout: WAIT_MS, agent: false }, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (chunk: string) => (text.length > 1_000_000 ? reply.destroy() : (text += chunk)));
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

function notThere(endpoint: string): ToolFailure {
  return new ToolFailure("unavailable", `No browser answers at ${endpoint}.`, { hint: "Start it with --remote-debugging-port=9222, and a --user-data-dir of its own." });
}
