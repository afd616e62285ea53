import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findChromium } from "../../../src/browser/chromium.ts";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { NewUser } from "./test-user.ts";

/** Why browser tests are skipped; `false` if there is a browser. */
export const NO_CHROMIUM = findChromium() === undefined && "no chromium here";

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly host: string;
  readonly cookie: string;
  readonly body: string;
}

export type Pages = { readonly [path: string]: string | ((request: Asked, reply: ServerResponse) => void) };

/** A site on loopback, or on another address of this machine: texts are HTML, and any other path is not found. */
export async function startSite(pages: Pages, address = "127.0.0.1") {
  const asked: Asked[] = [];
  const server = createServer((request, reply) => void answer(request, reply));
  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const one = {
      method: request.method ?? "",
      url: request.url ?? "",
      host: request.headers.host ?? "",
      cookie: request.headers.cookie ?? "",
      body,
    };
    asked.push(one);
    const page = pages[one.url.split("?")[0]!];
    if (typeof page === "function") page(one, reply);
    else
      reply
        .writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" })
        .end(page ?? "<title>Not found</title>");
  }
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  return {
    asked,
    url: `http://${address}:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A home in which a test calls tools; loopback pages may be opened. */
export async function openHome(settings = "", options: { readonly path?: string; readonly env?: string } = {}) {
  const user = new NewUser();
  user.write("~/.hermes/config.yaml", `security:\n  allow_private_urls: true\n${settings}`);
  if (options.env !== undefined) user.write("~/.hermes/.env", options.env);
  const app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: options.path ?? process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const sessions: AsyncDisposable[] = [];
  const open = async () => {
    const session = await app.openSession({ surface: "cli", cwd: user.folder });
    sessions.push(session);
    return {
      session,
      async call(tool: string, args: JsonObject = {}): Promise<JsonObject> {
        const outcome = await session.call(tool, args);
        return outcome.kind === "ok"
          ? (outcome.value as JsonObject)
          : outcome.kind === "failed"
            ? { ...outcome.data, error: outcome.message, hint: outcome.hint ?? "" }
            : { kind: outcome.kind };
      },
    };
  };
  return {
    app,
    prompter: user,
    open,
    ...(await open()),
    async [Symbol.asyncDispose]() {
      for (const session of sessions) await session[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
      user[Symbol.dispose]();
    },
  };
}

/** A Chromium as a user or a service starts it. */
export async function startOwn(folder: string, flags: readonly string[] = []) {
  const child = spawn(
    findChromium()!,
    [
      "--headless=new",
      "--remote-debugging-port=0",
      `--user-data-dir=${join(folder, "profile")}`,
      "--no-first-run",
      ...flags,
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "about:blank",
    ],
    { detached: true, stdio: ["ignore", "ignore", "pipe"] },
  );
  let message = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (message += text));
  await comes("the user's browser listens", () => /DevTools listening on/.test(message));
  const stop = () => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  return {
    url: `http://${/ws:\/\/([^/]+)\//.exec(message)![1]}`,
    /** The browser's own address. */
    socket: /ws:\/\/\S+/.exec(message)![0],
    stop,
    async [Symbol.asyncDispose]() {
      stop();
      await wait(300);
    },
  };
}

/** The name of the element whose line in the snapshot contains this text. */
export function refOf(snapshot: unknown, words: string): string {
  const line = String(snapshot)
    .split("\n")
    .find((one) => one.includes(words) && one.includes("[ref="));
  if (line === undefined) throw new Error(`No element "${words}" in:\n${String(snapshot)}`);
  return `@${/\[ref=(e\d+)\]/.exec(line)![1]}`;
}

/** Waits until a condition is true, or fails with its description. */
export async function comes(what: string, test: () => boolean | Promise<boolean>): Promise<void> {
  for (let left = 300; left > 0; left -= 1) {
    if (await test()) return;
    await wait(100);
  }
  throw new Error(`It did not come to this: ${what}`);
}
