import { Browser, type BrowserOptions } from "hermes-agent/browser";
import {
  definedFields,
  ToolFailure,
  type BrowserProvider,
  type BrowserSession,
  type JsonObject,
  type PluginContext,
} from "hermes-agent/plugin";
import { chooseProvider } from "./choose-provider.ts";
import type { SessionBook } from "./session-book.ts";

/** A browser for one task, and what the model learns about its location. */
export interface OpenedBrowser extends AsyncDisposable {
  readonly browser: Browser;
  readonly about: JsonObject;
}

export interface OpenPorts {
  readonly ctx: PluginContext;
  readonly book: SessionBook;
  /** As every browser of the agent is opened. */
  readonly options: BrowserOptions;
}

/**
 * Opens the browser that `browser.cloud_provider` selects. If that fails, opens one on this machine and gives the model
 * the reason.
 */
export async function openBrowser(ports: OpenPorts, taskId: string): Promise<OpenedBrowser> {
  const { ctx } = ports;
  const chosen = await chooseProvider(ctx);
  if (chosen.kind === "none") return openHere(ports, {});
  try {
    if (chosen.kind === "missing") throw new ToolFailure("unavailable", chosen.reason);
    return await openThere(ports, chosen.provider, taskId);
  } catch (cause) {
    const reason = ctx.redact(withoutAddresses(cause));
    ctx.log.warning(`Cannot get a browser from ${chosen.name}: ${reason}`);
    try {
      return await openHere(ports, {
        fallback_from_cloud: true,
        fallback_provider: chosen.name,
        fallback_reason: reason,
      });
    } catch (here) {
      const { message } = here as Error;
      throw new ToolFailure("unavailable", `${reason} There is no browser on this machine either: ${message}`, {
        cause,
        hint:
          hintOf(cause) ?? 'Set browser.cloud_provider to another service or "local", or run `hermes setup browser`.',
      });
    }
  }
}

/** On this machine. */
export async function openHere({ options }: Pick<OpenPorts, "options">, about: JsonObject): Promise<OpenedBrowser> {
  const browser = await Browser.open(options);
  return { browser, about, [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose]() };
}

async function openThere(
  { ctx, book, options }: OpenPorts,
  provider: BrowserProvider,
  taskId: string,
): Promise<OpenedBrowser> {
  // Sessions of an earlier run may count towards the service's limit.
  void book
    .sweep()
    .catch((cause: unknown) => ctx.log.warning("Cannot list the sessions that an earlier run left open.", { cause }));
  const name = provider.display_name ?? provider.name;
  const session = sessionOf(await provider.create_session(taskId), name);
  let browser: Browser | undefined;
  try {
    await book.enter(provider.name, session.bb_session_id);
    browser = await Browser.open({
      ...options,
      headed: false,
      service: {
        name,
        provider: provider.name,
        url: session.cdp_url,
        fetch: ctx.fetch,
        hosts: provider.cdp_hosts,
      },
    });
  } catch (cause) {
    await book.end(provider, session.bb_session_id);
    throw cause;
  }
  return {
    browser,
    about: aboutOf(provider.name, session.features),
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]();
      await book.end(provider, session.bb_session_id);
    },
  };
}

function sessionOf(given: unknown, name: string): BrowserSession {
  const session = (typeof given === "object" && given !== null ? given : {}) as Partial<BrowserSession>;
  const { bb_session_id, cdp_url } = session;
  if (typeof bb_session_id !== "string" || bb_session_id === "")
    throw new ToolFailure("unavailable", `${name} sent an answer that describes no session.`);
  return {
    ...session,
    session_name: String(session.session_name ?? ""),
    bb_session_id,
    cdp_url: typeof cdp_url === "string" ? cdp_url : "",
  };
}

/** Describes a session's features with the original's names. */
function aboutOf(provider: string, features: JsonObject | undefined): JsonObject {
  const output = { cloud_provider: provider };
  if (features === undefined || typeof features !== "object") return output;
  const on = Object.entries(features).flatMap(([name, value]) => (value === true ? [name] : []));
  return {
    ...output,
    stealth_features: on,
    ...definedFields({
      stealth_warning:
        features["proxies"] === false
          ? "Its requests come from a data centre, so some pages treat it as a bot."
          : undefined,
    }),
  };
}

/** A DevTools address may hold a key. */
function withoutAddresses(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause))
    .replaceAll(/\b(?:wss?|https?):\/\/\S+/g, "its address")
    .slice(0, 500);
}

function hintOf(cause: unknown): string | undefined {
  const { hint } = (cause ?? {}) as { readonly hint?: unknown };
  return typeof hint === "string" ? hint : undefined;
}
