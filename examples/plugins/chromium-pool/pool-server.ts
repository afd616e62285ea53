import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustFindChromium } from "hermes-agent/browser";

interface Pooled {
  readonly folder: string;
  readonly process: ChildProcess;
  /** Its DevTools, `ws://127.0.0.1:PORT/devtools/browser/…`. */
  readonly inner: URL;
  readonly token: string;
}

/**
 * The server, for the machine that has the browsers: each session is a Chromium with an empty profile, behind an
 * address with a token.
 */
export async function startPool(token: string, port = 0) {
  const sessions = new Map<string, Pooled>();
  const sockets = new Set<Socket>();
  let refuses = false;

  const server = createServer((request, reply) => {
    const say = (status: number, message?: object): void =>
      void reply
        .writeHead(status, { "content-type": "application/json" })
        .end(message === undefined ? "" : JSON.stringify(message));
    const { method, url = "" } = request;
    if (request.headers.authorization !== `Bearer ${token}`) return say(401);
    if (refuses) return say(503);
    if (method === "POST" && url === "/sessions")
      return void begin().then(
        (id) =>
          say(201, { id, address: `ws://${request.headers.host}/browser/${id}?token=${sessions.get(id)!.token}` }),
        () => say(500),
      );
    if (method === "DELETE" && url.startsWith("/sessions/"))
      return void end(url.slice("/sessions/".length)).then((ended) => say(ended ? 204 : 404));
    return say(404);
  });
  server.on("connection", (socket) => void sockets.add(socket.on("close", () => sockets.delete(socket))));
  server.on("upgrade", (request: IncomingMessage, socket: Socket) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://pool");
    const session = sessions.get(pathname.slice("/browser/".length));
    if (session === undefined || searchParams.get("token") !== session.token)
      return void socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    const upstream = connect(Number(session.inner.port), "127.0.0.1");
    for (const one of [socket, upstream])
      one.on("error", () => one.destroy()).on("close", () => void (socket.destroy(), upstream.destroy()));
    const saved = Object.entries(request.headers).filter(([name]) => name !== "host");
    upstream.write(
      `GET ${session.inner.pathname} HTTP/1.1\r\nhost: ${session.inner.host}\r\n${saved.map(([name, value]) => `${name}: ${String(value)}\r\n`).join("")}\r\n`,
    );
    socket.pipe(upstream).pipe(socket);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  async function begin(): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "chromium-pool-"));
    const process_ = spawn(
      mustFindChromium(),
      [
        "--headless=new",
        "--remote-debugging-port=0",
        `--user-data-dir=${folder}`,
        "--no-first-run",
        ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
        "about:blank",
      ],
      { detached: true, stdio: ["ignore", "ignore", "pipe"] },
    );
    const inner = await addressOf(process_);
    const id = randomUUID();
    sessions.set(id, { folder, process: process_, inner, token: randomBytes(16).toString("hex") });
    return id;
  }

  async function end(id: string): Promise<boolean> {
    const session = sessions.get(id);
    if (session === undefined) return false;
    sessions.delete(id);
    const gone = once(session.process, "exit");
    // The process group: a browser is many processes.
    if (session.process.exitCode === null) process.kill(-session.process.pid!, "SIGKILL");
    await gone;
    rmSync(session.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    return true;
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: (): readonly string[] => [...sessions.keys()],
    /** From now on it has no free browser. */
    refuse: (): void => void (refuses = true),
    async [Symbol.asyncDispose]() {
      await Promise.all([...sessions.keys()].map(end));
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function addressOf(browser: ChildProcess): Promise<URL> {
  let output = "";
  for await (const text of browser.stderr!.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    const found = /DevTools listening on (ws:\S+)/.exec((output += String(text)));
    if (found === null) continue;
    browser.stderr!.resume();
    return new URL(found[1]!);
  }
  throw new Error("The browser did not start.");
}

if (process.argv[1] === import.meta.filename) {
  const pool = await startPool(
    process.env["CHROMIUM_POOL_TOKEN"] ?? randomBytes(16).toString("hex"),
    Number(process.argv[2] ?? 9300),
  );
  console.log(`Browsers at ${pool.url}`);
}
