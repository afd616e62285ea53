import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { HttpCloud } from "./http-cloud.ts";
import { HttpDouble, sendJson, type Asked } from "./http-double.ts";
import { ScratchSandbox } from "./scratch-sandbox.ts";
import { definedFields } from "../../../src/contract/common/defined-fields.ts";

interface Known {
  readonly id: string;
  readonly name: string;
  readonly made: Record<string, unknown>;
  readonly sandbox: ScratchSandbox;
  state: "creating" | "started" | "stopped" | "error";
}

export const DAYTONA_KEY = "dtn_test-key";

/**
 * Daytona's API as far as a terminal needs it: sandboxes by id or name, and a toolbox in each that executes commands.
 */
export class DaytonaDouble extends HttpCloud<Known> {
  static async start(): Promise<DaytonaDouble> {
    return new DaytonaDouble(await HttpDouble.start());
  }

  override get url(): string {
    return `${this.http.url}/api`;
  }

  protected pathOf({ id }: Known): string {
    return `/toolbox/${id}/`;
  }

  protected async answer(asked: Asked, outgoing: ServerResponse): Promise<void> {
    const refuse = (status: number, message: string) =>
      sendJson(outgoing, status, { statusCode: status, message, path: asked.path });
    if (asked.headers.authorization !== `Bearer ${DAYTONA_KEY}`) return refuse(401, "Invalid credentials");
    const body = asked.body.length === 0 ? {} : (JSON.parse(asked.body.toString("utf8")) as Record<string, unknown>);
    if (asked.method === "POST" && asked.path === "/api/sandbox") return this.#make(body, outgoing, refuse);
    const [, id, rest = ""] = /^\/(?:api\/sandbox|toolbox)\/([^/]+)(\/.*)?$/.exec(asked.path) ?? [];
    const known = this.sandboxes.get(id ?? "") ?? [...this.sandboxes.values()].find(({ name }) => name === id);
    if (known === undefined) return refuse(404, `Sandbox with ID or name ${id} not found`);
    if (asked.path.startsWith("/toolbox/"))
      return rest === "/process/execute"
        ? this.#execute(known, body, outgoing, refuse)
        : refuse(404, "404 page not found");
    switch (`${asked.method} ${rest}`) {
      case "GET ":
        return sendJson(outgoing, 200, this.#shown(known));
      case "POST /start":
        if (known.state !== "stopped") return refuse(400, "Sandbox is not in valid state");
        await known.sandbox.start();
        known.state = "started";
        return sendJson(outgoing, 200, this.#shown(known));
      case "POST /stop":
        if (known.state !== "started") return refuse(400, "Sandbox is not started");
        known.state = "stopped";
        await known.sandbox.stop();
        return sendJson(outgoing, 200, this.#shown(known));
      case "DELETE ":
        this.sandboxes.delete(known.id);
        await known.sandbox.remove();
        return sendJson(outgoing, 200, this.#shown(known));
      default:
        return refuse(404, `Cannot ${asked.method} ${asked.path}`);
    }
  }

  async #make(
    body: Record<string, unknown>,
    outgoing: ServerResponse,
    refuse: (status: number, message: string) => void,
  ): Promise<void> {
    const name = String(body["name"]);
    if ([...this.sandboxes.values()].some((one) => one.name === name))
      return refuse(409, `Sandbox with name ${name} already exists`);
    if (Number(body["disk"] ?? 0) > 10) return refuse(400, "Disk request exceeds maximum allowed per sandbox (10GB)");
    const known: Known = { id: randomUUID(), name, made: body, sandbox: new ScratchSandbox(), state: "creating" };
    this.sandboxes.set(known.id, known);
    if (
      /^FROM \S*none/m.test(
        String((body["buildInfo"] as { dockerfileContent?: string } | undefined)?.dockerfileContent),
      )
    )
      known.state = "error";
    else void known.sandbox.start().then(() => (known.state = "started"));
    sendJson(outgoing, 200, this.#shown(known));
  }

  #shown({ id, name, state, made }: Known): object {
    return {
      id,
      name,
      organizationId: "org",
      user: "root",
      env: {},
      labels: made["labels"] ?? {},
      target: "us",
      state,
      toolboxProxyUrl: `${this.http.url}/toolbox`,
      ...definedFields({ errorReason: state === "error" ? "the image could not be pulled" : undefined }),
    };
  }

  async #execute(
    known: Known,
    body: Record<string, unknown>,
    outgoing: ServerResponse,
    refuse: (status: number, message: string) => void,
  ): Promise<void> {
    if (known.state !== "started") return refuse(400, "bad request: no IP address found. Is the Sandbox started?");
    const child = known.sandbox.spawn(["sh"], { env: (known.made["env"] as Record<string, string> | undefined) ?? {} });
    const out: Buffer[] = [];
    for (const pipe of [child.stdout!, child.stderr!]) pipe.on("data", (bytes: Buffer) => void out.push(bytes));
    child.stdin!.on("error", () => {}); // It ended before it read everything.
    child.stdin!.end(String(body["command"]));
    const timer = setTimeout(() => child.kill("SIGKILL"), Number(body["timeout"] ?? 360) * 1_000);
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    clearTimeout(timer);
    if (known.state !== "started") return refuse(502, "bad gateway: the sandbox has stopped");
    if (code === null) return refuse(408, "command execution timeout");
    sendJson(outgoing, 200, { exitCode: code, result: Buffer.concat(out).toString("utf8") });
  }
}
