import { Browser, type Dialog, type DialogRule, type Page } from "hermes-agent/browser";
import { hostOf, ToolFailure, type ForeignWords, type PluginContext, type ToolContext } from "hermes-agent/plugin";
import { Refs } from "./refs.ts";

/** A task's browser as a tool is handed it. */
export interface Held {
  readonly browser: Browser;
  /** Nothing was opened in it before. */
  readonly fresh: boolean;
  refs(page: Page): Refs;
}

interface Session {
  readonly sessionId: string;
  readonly opening: Promise<Browser>;
  readonly refs: WeakMap<Page, Refs>;
  browser: Browser | undefined;
  used: boolean;
  /** The last call; the next one waits for it. */
  tail: Promise<unknown>;
  timer: NodeJS.Timeout | undefined;
  /** Where its tab was when a call of it ended. */
  url: string | undefined;
}

type UseContext = Pick<ToolContext, "taskId" | "sessionId" | "signal">;

/** One browser for each task, opened by its first address and closed when nobody uses it, when its session ends, and with the agent. */
export class BrowserDesk {
  readonly #ctx: PluginContext;
  readonly #sessions = new Map<string, Session>();
  #hears = false;
  /** DevTools address by `/browser connect`, for this run. */
  connected: string | undefined;

  constructor(ctx: PluginContext) {
    this.#ctx = ctx;
  }

  get endpoint(): string | undefined {
    const setting = this.#ctx.setting("browser.cdp_url");
    return this.connected ?? (typeof setting === "string" && setting !== "" ? setting : undefined);
  }

  get open(): number {
    return this.#sessions.size;
  }

  seconds(path: string, otherwise: number): number {
    const value = this.#ctx.setting(path);
    return typeof value === "number" ? value : otherwise;
  }

  /** One step of a page may take so long. */
  get stepMs(): number {
    return this.seconds("browser.command_timeout", 30) * 1000;
  }

  /** Whose words a task's page holds, by where it was last. */
  words(taskId: string): ForeignWords {
    const url = this.#sessions.get(taskId)?.url;
    const host = url === undefined ? undefined : hostOf(url);
    return { source: url?.slice(0, 500) ?? "a web page", ...(host === undefined ? {} : { host }) };
  }

  /**
   * Does something with the task's browser, one thing at a time.
   * @param options.opens Without a browser one is opened; else the call fails and says how.
   * @param options.dialog It may be done while a dialog holds the page.
   */
  async use<T>(call: UseContext, options: { readonly opens?: boolean; readonly dialog?: boolean }, work: (page: Page, held: Held) => Promise<T>): Promise<T> {
    const session = this.#session(call, options.opens === true);
    clearTimeout(session.timer);
    const before = session.tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    session.tail = promise;
    try {
      await before;
      const browser = await session.opening;
      const { page } = browser;
      if (page.dialog !== undefined && options.dialog !== true) throw new ToolFailure("failed", `The page waits for an answer to its ${page.dialog.type}: ${JSON.stringify(page.dialog.message)}`, { hint: "browser_dialog answers it, or the person in their browser." });
      const held: Held = { browser, fresh: !session.used, refs: (of) => refsOf(session, of) };
      session.used = true;
      const result = await stoppable(work(page, held), call.signal);
      // A click may have opened another tab.
      session.url = (await browser.page.where().catch(() => undefined))?.url;
      return result;
    } catch (cause) {
      const lost = session.browser !== undefined && (!session.browser.tools.open || session.browser.pages.length === 0);
      if (session.browser === undefined || lost) await this.#drop(call.taskId, session);
      if (!(cause instanceof ToolFailure)) throw cause;
      throw lost ? failed("unavailable", cause.message, "browser_navigate opens another.") : failed(cause.code, cause.message, cause.hint);
    } finally {
      resolve();
      clearTimeout(session.timer);
      // While another call waits or works it is in use.
      if (session.tail === promise && this.#sessions.get(call.taskId) === session) session.timer = setTimeout(() => void this.#drop(call.taskId, session), this.seconds("browser.inactivity_timeout", 120) * 1000).unref();
    }
  }

  /** Closes those of one session of the agent, or all. */
  async close(sessionId?: string): Promise<void> {
    await Promise.all([...this.#sessions].flatMap(([taskId, session]) => (sessionId === undefined || session.sessionId === sessionId ? [this.#drop(taskId, session)] : [])));
  }

  #session(call: UseContext, opens: boolean): Session {
    const known = this.#sessions.get(call.taskId);
    if (known !== undefined && (!opens || known.browser === undefined || (known.browser.tools.open && known.browser.pages.length > 0))) return known;
    if (known !== undefined) void this.#drop(call.taskId, known);
    if (!opens) throw failed("failed", "No page is open.", "browser_navigate opens one.");
    // Asked for only once there is something to close.
    if (!this.#hears) this.#ctx.hook("on_session_finalize", ({ session_id }) => (session_id === null ? undefined : this.close(session_id)));
    this.#hears = true;
    const session: Session = { sessionId: call.sessionId, opening: this.#open(), refs: new WeakMap(), browser: undefined, used: false, tail: Promise.resolve(), timer: undefined, url: undefined };
    session.opening.then((browser) => (session.browser = browser), () => undefined); // Told to whoever waits for it.
    this.#sessions.set(call.taskId, session);
    return session;
  }

  async #open(): Promise<Browser> {
    const { endpoint } = this;
    return Browser.open({
      proxy: this.#ctx.proxy,
      socket: this.#ctx.socket,
      dialogs: this.#dialogRule(endpoint !== undefined),
      dialogMs: this.seconds("browser.dialog_timeout_s", 300) * 1000,
      headed: this.#ctx.setting("browser.headed") === true,
      allowPrivate: () => this.#ctx.setting("browser.allow_private_urls") === true,
      ...(endpoint === undefined ? {} : { endpoint }),
    });
  }

  async #drop(taskId: string, session: Session): Promise<void> {
    clearTimeout(session.timer);
    if (this.#sessions.get(taskId) === session) this.#sessions.delete(taskId);
    const browser = await session.opening.catch(() => undefined); // It never opened.
    await browser?.[Symbol.asyncDispose]();
  }

  /** A page that wants to be left is left. Dialogs wait in a browser whose person sees them; elsewhere no answer is the answer. */
  #dialogRule(seen: boolean): DialogRule {
    return ({ type }: Dialog) => {
      const policy = this.#ctx.setting("browser.dialog_policy");
      if (type === "beforeunload" || policy === "auto_accept") return "accept";
      return policy === "auto_dismiss" || !seen ? "dismiss" : "wait";
    };
  }
}

/** Every answer of these tools says whether it is a success. */
export function failed(code: string, message: string, hint?: string): ToolFailure {
  return new ToolFailure(code, message, { data: { success: false }, ...(hint === undefined ? {} : { hint }) });
}

function refsOf({ refs }: Session, page: Page): Refs {
  const known = refs.get(page) ?? new Refs();
  refs.set(page, known);
  return known;
}

async function stoppable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(() => undefined); // It was stopped; nobody is told what became of it.
  }
}
