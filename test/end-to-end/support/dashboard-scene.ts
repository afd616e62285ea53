import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../../src/contract/services/app.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { openDashboard } from "../../../src/surfaces/dashboard/dashboard-server.ts";
import { NewUser } from "./test-user.ts";

export interface SentMessage {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly headers: Headers;
  json<Value>(): Value;
}

/** A dashboard of a new user, called over HTTP as its page would. */
export class DashboardScene implements AsyncDisposable {
  readonly prompter: NewUser;
  readonly app: App;
  readonly url: string;
  readonly token: string;
  readonly #stack: AsyncDisposableStack;

  private constructor(user: NewUser, app: App, link: string, stack: AsyncDisposableStack) {
    this.prompter = user;
    this.app = app;
    [this.url, this.token] = link.split("#token=") as [string, string];
    this.#stack = stack;
  }

  static async open(
    setup: (user: NewUser) => void = () => {},
    chat?: (user: NewUser) => readonly string[],
  ): Promise<DashboardScene> {
    const stack = new AsyncDisposableStack();
    const user = stack.use(new NewUser());
    setup(user);
    const app = stack.use(
      await openApp({
        version: "0",
        env: { HOME: user.home, PATH: process.env["PATH"] },
        signal: new AbortController().signal,
      }),
    );
    const dashboard = stack.use(
      await openDashboard(app, { host: "127.0.0.1", port: 0, chat: chat === undefined ? undefined : chat(user) }),
    );
    return new DashboardScene(user, app, dashboard.link, stack);
  }

  get link(): string {
    return `${this.url}#token=${this.token}`;
  }

  /** With the token, unless `headers` override it. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: { readonly [name: string]: string } = { "x-hermes-session-token": this.token },
  ): Promise<SentMessage> {
    const response = await fetch(new URL(path, this.url), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      type: response.headers.get("content-type") ?? "",
      text,
      headers: response.headers,
      json: <Value>() => JSON.parse(text) as Value,
    };
  }

  async get<Value>(path: string): Promise<Value> {
    const response = await this.ask("GET", path);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.text}`);
    return response.json<Value>();
  }

  file(path: string): string {
    return readFileSync(join(this.prompter.agentHome, path), "utf8");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
