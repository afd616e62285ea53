import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { ModelScript } from "../../servers/script.ts";
import { gone } from "./chatting.ts";
import { NewUser } from "./test-user.ts";
import { definedFields } from "../../../src/contract/common/defined-fields.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

export const KEY = "3f1c9d2e7a5b4c6d8e0f1a2b3c4d5e6f";

export interface Replied {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  json<Value = { readonly [key: string]: never }>(): Value;
}

export interface Asking {
  readonly body?: unknown;
  /** `null`: none. */
  readonly key?: string | null;
  readonly headers?: { readonly [name: string]: string };
  readonly signal?: AbortSignal;
}

/**
 * A user whose gateway serves the API: their home, the model's server, the gateway's process, and requests over plain
 * HTTP.
 */
export class ApiScene implements AsyncDisposable {
  readonly prompter: NewUser;
  readonly model: Awaited<ReturnType<typeof startOpenAiServer>>;
  url = "";
  notes = "";
  readonly #stack: AsyncDisposableStack;
  #gateway: ChildProcess | undefined;

  private constructor(user: NewUser, model: ApiScene["model"], stack: AsyncDisposableStack) {
    this.prompter = user;
    this.model = model;
    this.#stack = stack;
  }

  static async open(
    script: ModelScript,
    { config = "", env = {} }: { readonly config?: string; readonly env?: { readonly [name: string]: string } } = {},
  ): Promise<ApiScene> {
    const stack = new AsyncDisposableStack();
    const model = stack.use(await startOpenAiServer(script));
    const user = stack.use(new NewUser({ API_SERVER_KEY: KEY, API_SERVER_PORT: "0", ...env }));
    user.connect("custom", model.url, config);
    const scene = new ApiScene(user, model, stack);
    await scene.serve();
    return scene;
  }

  /** Starts the gateway and waits until it serves. */
  async serve(): Promise<void> {
    const gateway = this.prompter.start(["gateway"]);
    this.#gateway = gateway;
    this.notes = "";
    const serving = Promise.withResolvers<void>();
    const receive = (text: Buffer): void => {
      this.notes += text.toString();
      const [, url] = /API server: (http:\S+)\n/.exec(this.notes) ?? [];
      if (url !== undefined) serving.resolve(void (this.url = url));
    };
    gateway.stdout?.on("data", receive);
    gateway.stderr?.on("data", receive);
    gateway.on("exit", (status) => serving.reject(new Error(`the gateway ended with ${status}: ${this.notes}`)));
    await serving.promise;
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    this.#gateway!.kill(signal);
    return gone(this.#gateway!);
  }

  /** The head of the response; its body follows. */
  async begin(
    method: string,
    path: string,
    { body, key = KEY, headers = {}, signal }: Asking = {},
  ): Promise<IncomingMessage> {
    const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
    const asking = request(new URL(path, this.url), {
      method,
      agent: false,
      signal,
      headers: {
        ...definedFields({ authorization: key === null ? undefined : `Bearer ${key}` }),
        ...(text === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
        ...headers,
      },
    });
    asking.on("error", () => {}); // A failure reaches the code that awaits it.
    asking.end(text);
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    return response;
  }

  async ask(method: string, path: string, asking: Asking = {}): Promise<Replied> {
    const response = await this.begin(method, path, asking);
    const text = await textOf(response);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text,
      json: <Value>() => JSON.parse(text) as Value,
    };
  }

  get log(): string {
    return readFileSync(join(this.prompter.agentHome, "logs/agent.log"), "utf8");
  }

  /** The requests that the model received, oldest first. */
  get sent(): readonly {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  }[] {
    return this.model.requests.map(({ body }) => JSON.parse(body) as ApiScene["sent"][number]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

export async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of response as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Polls until the condition is true. */
export async function until<Value>(ask: () => Value | Promise<Value>, so: (value: Value) => boolean): Promise<Value> {
  let value: Value;
  await waitFor(async () => so((value = await ask())), { what: String(so), state: () => value });
  return value!;
}
