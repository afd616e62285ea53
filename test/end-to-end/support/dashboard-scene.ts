import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { App } from "../../../src/contract/services/app.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { openDashboard } from "../../../src/surfaces/dashboard/dashboard-server.ts";
import { NewPerson } from "./test-user.ts";

export interface Said {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly headers: Headers;
  json<Value>(): Value;
}

/** A dashboard of a new person, asked over HTTP as its page would. */
export class DashboardScene implements AsyncDisposable {
  readonly person: NewPerson;
  readonly app: App;
  readonly url: string;
  readonly token: string;
  readonly #stack: AsyncDisposableStack;

  private constructor(person: NewPerson, app: App, link: string, stack: AsyncDisposableStack) {
    this.person = person;
    this.app = app;
    [this.url, this.token] = link.split("#token=") as [string, string];
    this.#stack = stack;
  }

  static async open(
    setup: (person: NewPerson) => void = () => {},
    chat?: (person: NewPerson) => readonly string[],
  ): Promise<DashboardScene> {
    const stack = new AsyncDisposableStack();
    const person = stack.use(new NewPerson());
    setup(person);
    const app = stack.use(
      await openApp({
        version: "0",
        env: { HOME: person.home, PATH: process.env["PATH"] },
        signal: new AbortController().signal,
      }),
    );
    const dashboard = stack.use(
      await openDashboard(app, { host: "127.0.0.1", port: 0, chat: chat === undefined ? undefined : chat(person) }),
    );
    return new DashboardScene(person, app, dashboard.link, stack);
  }

  get link(): string {
    return `${this.url}#token=${this.token}`;
  }

  /** With the token, unless `headers` say otherwise. */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: { readonly [name: string]: string } = { "x-hermes-session-token": this.token },
  ): Promise<Said> {
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
    const said = await this.ask("GET", path);
    if (said.status !== 200) throw new Error(`${path}: ${said.status} ${said.text}`);
    return said.json<Value>();
  }

  file(path: string): string {
    return readFileSync(join(this.person.agentHome, path), "utf8");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
