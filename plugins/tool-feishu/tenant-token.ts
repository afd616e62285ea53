import { ToolFailure, type PluginContext } from "hermes-agent/plugin";
import { apiAddress, apiHost } from "./api-address.ts";
import { exchange, wantsRest } from "./exchange.ts";
import { refusalOf } from "./refusal.ts";

type Ports = Pick<PluginContext, "env" | "fetch" | "signal">;

interface Retained {
  /** Identifies the app and service of the token. */
  readonly of: string;
  readonly text: Promise<string>;
  /** Expiry time; 0 while it is being requested. */
  untilMs: number;
}

/** Renew a token this long before it expires, so that no request uses an expired one. */
const EARLY_MS = 180_000;

/** The app's access token, cached in memory only. Concurrent calls share one request for it. */
export class TenantToken {
  #cached: Retained | undefined;
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** @throws {ToolFailure} if the service issues none. */
  async text(signal: AbortSignal): Promise<string> {
    const { env } = this.#ports;
    const app = { app_id: (env("FEISHU_APP_ID") ?? "").trim(), app_secret: (env("FEISHU_APP_SECRET") ?? "").trim() };
    const base = apiAddress(env);
    const of = JSON.stringify([base, app]);
    if (this.#cached?.of !== of || (this.#cached.untilMs !== 0 && this.#cached.untilMs <= Date.now()))
      this.#cached = this.#ask(of, base, app);
    const saved = this.#cached;
    return heldTo(signal, saved.text);
  }

  /** Drops a token that the service no longer accepts. */
  async drop(text: string): Promise<void> {
    const saved = this.#cached;
    if (saved !== undefined && (await saved.text.catch(() => text)) === text && this.#cached === saved)
      this.#cached = undefined;
  }

  #ask(of: string, base: string, app: { readonly app_id: string; readonly app_secret: string }): Retained {
    // The signal of the plugin, not of one call: other calls wait for the same token.
    const asked = askForToken(base, app, this.#ports);
    const saved: Retained = {
      of,
      untilMs: 0,
      text: asked.then(
        ({ text, lifeMs }) => {
          saved.untilMs = Math.max(1, Date.now() + lifeMs - EARLY_MS);
          return text;
        },
        (cause: unknown) => {
          if (this.#cached === saved) this.#cached = undefined;
          throw cause;
        },
      ),
    };
    saved.text.catch(() => {}); // A stopped call no longer handles the rejection.
    return saved;
  }
}

async function askForToken(
  base: string,
  app: { readonly app_id: string; readonly app_secret: string },
  { env, fetch, signal }: Ports,
): Promise<{ readonly text: string; readonly lifeMs: number }> {
  const message = await exchange(
    { method: "POST", path: "/open-apis/auth/v3/tenant_access_token/internal", body: app, repeatable: true },
    base,
    undefined,
    fetch,
    signal,
  );
  const { tenant_access_token: text, expire, expires } = message.body;
  const lifeS = Number(expire ?? expires);
  if (message.code === 0 && typeof text === "string" && /^[\w.-]+$/.test(text) && lifeS >= 0)
    return { text, lifeMs: lifeS * 1000 };
  if (message.code === 0)
    throw new ToolFailure("unreachable", "Feishu did not issue a usable token to the app.", {
      data: { status: message.status },
    });
  if (message.status >= 500 || wantsRest(message)) throw refusalOf(message, env);
  throw new ToolFailure("unavailable", "Feishu rejected FEISHU_APP_ID and FEISHU_APP_SECRET.", {
    data: { status: message.status, feishu_code: message.code },
    hint: `Both are shown at https://${apiHost(env)}/app under Credentials. A Lark app needs FEISHU_DOMAIN=lark; a Feishu app needs feishu.`,
  });
}

async function heldTo<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
