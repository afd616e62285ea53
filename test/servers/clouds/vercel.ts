import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { HttpCloud } from "./http-cloud.ts";
import { HttpDouble, sendJson, type Asked } from "./http-double.ts";
import { BufferedOutput } from "./buffered-output.ts";
import { ScratchSandbox } from "./scratch-sandbox.ts";

interface Known {
  readonly name: string;
  readonly made: Record<string, unknown>;
  readonly sandbox: ScratchSandbox;
  session: string;
  status: "running" | "stopped";
}

interface Ran {
  readonly id: string;
  readonly args: readonly string[];
  readonly command: string;
  /** In lines of its log. */
  readonly log: BufferedOutput<string>;
  exitCode: number | null;
}

export const VERCEL_TOKEN = "vercel-test-token";

/** The network function that the SDK receives: it sends the same requests to a double. */
export function vercelAt(url: string): typeof globalThis.fetch {
  return (input, init) =>
    globalThis.fetch(String(input).replace("https://vercel.com", url), {
      ...init,
      dispatcher: undefined,
    } as RequestInit);
}

/** The API of Vercel's sandboxes as far as its SDK needs it for a terminal. */
export class VercelDouble extends HttpCloud<Known> {
  readonly #ran = new Map<string, Ran>();

  static async start(): Promise<VercelDouble> {
    return new VercelDouble(await HttpDouble.start());
  }

  protected pathOf({ session }: Known): string {
    return `/sessions/${session}/`;
  }

  protected async answer(asked: Asked, outgoing: ServerResponse): Promise<void> {
    const refuse = (status: number, code: string, message: string) =>
      sendJson(outgoing, status, { error: { code, message } });
    if (asked.headers.authorization !== `Bearer ${VERCEL_TOKEN}`) return refuse(403, "forbidden", "Not authorized");
    const path = asked.path.replace(/^\/api\/v[23]\/sandboxes/, "");
    const body = asked.body.length === 0 ? {} : (JSON.parse(asked.body.toString("utf8")) as Record<string, unknown>);
    if (path === "" && asked.method === "POST") {
      const name = String(body["name"]);
      if (this.sandboxes.has(name)) return refuse(409, "conflict", `Sandbox ${name} exists already`);
      if (body["runtime"] === "none") return refuse(400, "bad_request", "Invalid runtime");
      const known: Known = {
        name,
        made: body,
        sandbox: new ScratchSandbox(),
        session: `sbx_${randomUUID()}`,
        status: "running",
      };
      this.sandboxes.set(name, known);
      await known.sandbox.start();
      return sendJson(outgoing, 200, { ...this.#shown(known), routes: [] });
    }
    const [, sessionId, rest = ""] = /^\/sessions\/([^/]+)(\/.*)?$/.exec(path) ?? [];
    if (sessionId !== undefined) return this.#inSession(sessionId, rest, asked, body, outgoing, refuse);
    const known = this.sandboxes.get(decodeURIComponent(path.slice(1)));
    if (known === undefined) return refuse(404, "not_found", "Sandbox not found");
    if (asked.method === "DELETE") {
      this.sandboxes.delete(known.name);
      await known.sandbox.remove();
      return sendJson(outgoing, 200, { sandbox: this.#shown(known).sandbox });
    }
    const resumed = known.status === "stopped" && asked.query.get("resume") !== "false";
    if (resumed) {
      known.session = `sbx_${randomUUID()}`;
      known.status = "running";
      await known.sandbox.start();
    }
    sendJson(outgoing, 200, { ...this.#shown(known), routes: [], resumed });
  }

  async #inSession(
    id: string,
    rest: string,
    asked: Asked,
    body: Record<string, unknown>,
    outgoing: ServerResponse,
    refuse: (status: number, code: string, message: string) => void,
  ): Promise<void> {
    const known = [...this.sandboxes.values()].find(({ session }) => session === id);
    if (known === undefined) return refuse(404, "not_found", "Session not found");
    if (known.status === "stopped") return refuse(410, "sandbox_stopped", "Sandbox has stopped");
    if (rest === "/stop") {
      known.status = "stopped";
      await known.sandbox.stop();
      return sendJson(outgoing, 200, { session: this.#shown(known).session });
    }
    if (rest === "/extend-timeout") return sendJson(outgoing, 200, { session: this.#shown(known).session });
    if (rest === "/cmd" && asked.method === "POST") {
      const ran = this.#run(known, body);
      if (body["wait"] !== true) return sendJson(outgoing, 200, { command: shown(ran, id) });
      outgoing.writeHead(200, { "content-type": "application/x-ndjson" });
      outgoing.write(`${JSON.stringify({ command: shown(ran, id) })}\n`);
      await this.#follow(ran, outgoing);
      outgoing.end(`${JSON.stringify({ command: shown(ran, id) })}\n`);
      return;
    }
    const [, commandId = "", what] = /^\/cmd\/([^/]+)(\/\w+)?$/.exec(rest) ?? [];
    const ran = this.#ran.get(commandId);
    if (ran === undefined) return refuse(404, "not_found", "Command not found");
    if (what !== "/logs") return refuse(404, "not_found", `No route ${rest}`);
    outgoing.writeHead(200, { "content-type": "application/x-ndjson" });
    outgoing.flushHeaders();
    await this.#follow(ran, outgoing);
    if ((known.status as string) === "stopped" || !this.sandboxes.has(known.name))
      outgoing.write(
        `${JSON.stringify({ stream: "error", data: { code: "sandbox_stopped", message: "Sandbox has stopped" } })}\n`,
      );
    outgoing.end();
  }

  #run(known: Known, body: Record<string, unknown>): Ran {
    const args = body["args"] as readonly string[];
    const ran: Ran = {
      id: `cmd_${randomUUID()}`,
      command: String(body["command"]),
      args,
      log: new BufferedOutput(),
      exitCode: null,
    };
    this.#ran.set(ran.id, ran);
    const child = known.sandbox.spawn([ran.command, ...args], {
      env: {
        ...(known.made["env"] as Record<string, string> | undefined),
        ...(body["env"] as Record<string, string> | undefined),
      },
    });
    child.stdin!.on("error", () => {}); // It reads nothing.
    child.stdin!.end();
    for (const stream of ["stdout", "stderr"] as const)
      ran.log.add(child[stream]!.setEncoding("utf8"), (data) => `${JSON.stringify({ stream, data })}\n`);
    child.once("close", (code) => {
      ran.exitCode = code ?? 137;
      ran.log.end();
    });
    return ran;
  }

  async #follow(ran: Ran, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    for await (const { value } of ran.log.follow(0, gone.signal)) {
      if (!outgoing.write(value)) await once(outgoing, "drain", gone).catch(() => undefined); // No reader is left.
    }
  }

  #shown({ name, made, session, status }: Known): { readonly sandbox: object; readonly session: object } {
    const now = Date.now();
    const about = {
      memory: 4096,
      vcpus: 2,
      region: "iad1",
      runtime: made["runtime"],
      timeout: 1_800_000,
      createdAt: now,
      updatedAt: now,
      status,
      cwd: "/root",
    };
    return {
      sandbox: { ...about, name, persistent: made["persistent"] === true, currentSessionId: session },
      session: { ...about, id: session, requestedAt: now, startedAt: now },
    };
  }
}

function shown({ id, command, args, exitCode }: Ran, sessionId: string): object {
  return { id, name: command, args, cwd: "/root", sessionId, exitCode, startedAt: Date.now() };
}
