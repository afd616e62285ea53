import { setTimeout as wait } from "node:timers/promises";
import {
  definedFields,
  TerminalUnavailable,
  wordsOfHost,
  type FetchReply,
  type GuardedFetch,
  type JsonObject,
} from "hermes-agent/plugin";

const API = "https://app.daytona.io/api";
/** How often what was refused for being too much is asked again, and how long it waits at most. */
const TRIES = 4;
const MAX_WAIT_MS = 20_000;

export interface DaytonaAccess {
  readonly fetch: GuardedFetch;
  readonly key: string | undefined;
  /** Of a Daytona of one's own. */
  readonly url: string | undefined;
  readonly target: string | undefined;
}

export interface DaytonaSandboxState {
  readonly id: string;
  readonly state: string;
  readonly errorReason: string | undefined;
  /** Where the sandbox's own toolbox is reached. */
  readonly toolbox: string;
}

/** Daytona's REST API, as far as a terminal needs it. */
export class DaytonaClient {
  readonly #access: DaytonaAccess;

  constructor(access: DaytonaAccess) {
    this.#access = access;
  }

  get target(): string | undefined {
    return this.#access.target;
  }

  /** `undefined` when there is none of that name. */
  async find(name: string): Promise<DaytonaSandboxState | undefined> {
    const reply = await this.#ask("GET", `${this.#url}/sandbox/${encodeURIComponent(name)}`);
    if (reply.status === 404) return undefined;
    return this.#sandbox(await this.#answer(reply, "find the sandbox"));
  }

  async create(wanted: JsonObject): Promise<DaytonaSandboxState> {
    return this.#sandbox(
      await this.#answer(await this.#ask("POST", `${this.#url}/sandbox`, wanted, 120_000), "create a sandbox"),
    );
  }

  async start({ id }: DaytonaSandboxState): Promise<void> {
    await this.#answer(
      await this.#ask("POST", `${this.#url}/sandbox/${id}/start`, undefined, 120_000),
      "start the sandbox",
    );
  }

  async stop({ id }: DaytonaSandboxState): Promise<void> {
    await this.#answer(
      await this.#ask("POST", `${this.#url}/sandbox/${id}/stop`, undefined, 60_000),
      "stop the sandbox",
    );
  }

  async remove({ id }: DaytonaSandboxState): Promise<void> {
    await this.#answer(await this.#ask("DELETE", `${this.#url}/sandbox/${id}?force=true`), "delete the sandbox");
  }

  /** Runs a bash script in the sandbox to its end, once: whether one that was cut off has run is not known. */
  async runScript(
    sandbox: DaytonaSandboxState,
    script: string,
    options: { readonly timeoutS: number; readonly signal?: AbortSignal },
  ): Promise<{ readonly code: number; readonly output: string }> {
    // Whatever the sandbox takes for its shell, and however it splits words, this is one word to it.
    const command = `sh -c "echo ${Buffer.from(script).toString("base64")} | base64 -d | bash"`;
    const reply = await this.#ask(
      "POST",
      `${sandbox.toolbox}/process/execute`,
      { command, timeout: options.timeoutS },
      (options.timeoutS + 15) * 1_000,
      options.signal,
    );
    const message = await this.#answer(reply, "run a command");
    if (typeof message["result"] !== "string" || typeof message["exitCode"] !== "number")
      throw new TerminalUnavailable("Daytona's answer to a command has no result.");
    return { code: message["exitCode"], output: message["result"] };
  }

  get #url(): string {
    return (this.#access.url ?? API).replace(/\/+$/, "");
  }

  /** Repeats only a request that the service refused without processing it (429). */
  async #ask(
    method: "GET" | "POST" | "DELETE",
    url: string,
    body?: JsonObject,
    timeoutMs = 30_000,
    signal?: AbortSignal,
  ): Promise<FetchReply> {
    if (this.#access.key === undefined)
      throw new TerminalUnavailable("DAYTONA_API_KEY is not set.", {
        hint: "Set it with `hermes config set DAYTONA_API_KEY …`.",
      });
    const headers = definedFields({
      authorization: `Bearer ${this.#access.key}`,
      "content-type": body === undefined ? undefined : "application/json",
    });
    for (let tries = 1; ; tries += 1) {
      const reply = await this.#access
        .fetch(url, {
          method,
          headers,
          timeoutMs,
          maxRedirects: 0,
          configured: "DAYTONA_API_URL",
          body: body === undefined ? undefined : JSON.stringify(body),
          ...definedFields({ signal }),
        })
        .catch((cause: unknown) =>
          Promise.reject(
            new TerminalUnavailable(`Cannot reach Daytona: ${(cause as Error).message}`, {
              hint: "Check the network, and DAYTONA_API_URL if you set it.",
              cause,
            }),
          ),
        );
      if (reply.status !== 429 || tries === TRIES) return reply;
      await reply.bytes();
      const asked = Number(reply.headers["retry-after"] ?? Number.NaN);
      await wait(Math.min(MAX_WAIT_MS, Number.isFinite(asked) ? asked * 1_000 : 500 * 2 ** tries), undefined, {
        ref: true,
      });
    }
  }

  async #answer(reply: FetchReply, what: string): Promise<JsonObject> {
    const text = await reply
      .text()
      .catch((cause: unknown) =>
        Promise.reject(
          new TerminalUnavailable(
            `The connection ended in the middle of Daytona's answer: ${(cause as Error).message}`,
            { cause },
          ),
        ),
      );
    let message: unknown;
    try {
      message = text === "" ? {} : JSON.parse(text);
    } catch {
      message = undefined; // A page from a proxy in between.
    }
    const object =
      typeof message === "object" && message !== null && !Array.isArray(message) ? (message as JsonObject) : undefined;
    if (reply.status >= 200 && reply.status < 300 && object !== undefined) return object;
    const words = typeof object?.["message"] === "string" ? object["message"] : `status ${reply.status}`;
    const hint =
      reply.status === 401 || reply.status === 403
        ? "Check DAYTONA_API_KEY: it is wrong, expired, or lacks permission."
        : reply.status === 429
          ? "Daytona limits the rate of requests. Try again later."
          : undefined;
    throw new TerminalUnavailable(`Daytona did not ${what}: ${words}`, {
      hint,
      from: object === undefined ? undefined : wordsOfHost(this.#url),
    });
  }

  #sandbox(message: JsonObject): DaytonaSandboxState {
    const { id, state, errorReason, toolboxProxyUrl } = message;
    if (typeof id !== "string" || !/^[\w-]+$/.test(id) || typeof state !== "string")
      throw new TerminalUnavailable("Daytona's answer describes no sandbox.");
    const toolbox =
      typeof toolboxProxyUrl === "string" && toolboxProxyUrl !== ""
        ? `${toolboxProxyUrl.replace(/\/+$/, "")}/${id}`
        : `${this.#url}/toolbox/${id}/toolbox`;
    return { id, state, errorReason: typeof errorReason === "string" ? errorReason : undefined, toolbox };
  }
}
