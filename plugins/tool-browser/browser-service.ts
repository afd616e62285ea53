import type { Browser, BrowserOptions, Dialog, DialogRule, Page } from "hermes-agent/browser";
import {
  hostOf,
  ToolFailure,
  type UntrustedSource,
  type JsonObject,
  type PluginContext,
  type ToolContext,
} from "hermes-agent/plugin";
import { chooseProvider } from "./choose-provider.ts";
import { isPrivate } from "./is-private.ts";
import { openBrowser, openHere, type OpenedBrowser } from "./open-browser.ts";
import { Refs } from "./refs.ts";
import { SessionBook } from "./session-book.ts";
import { failed, stoppable } from "./stoppable.ts";

/** A task's browser as a tool is handed it. */
export interface Held {
  readonly browser: Browser;
  /** Nothing was opened in it before. */
  readonly fresh: boolean;
  /** Reports its location once, to the call that opens the first address in it. */
  about(): JsonObject;
  refs(page: Page): Refs;
}

interface Session {
  readonly sessionId: string;
  readonly taskId: string;
  readonly opening: Promise<OpenedBrowser>;
  readonly refs: WeakMap<Page, Refs>;
  browser: Browser | undefined;
  reported: boolean;
  used: boolean;
  /** The last call; the next one waits for it. */
  tail: Promise<unknown>;
  timer: NodeJS.Timeout | undefined;
  /** Where its tab was when a call of it ended. */
  url: string | undefined;
}

type UseContext = Pick<ToolContext, "taskId" | "sessionId" | "signal">;

/**
 * The browser a task has by the settings, or one on this machine beside it for addresses that only this machine
 * reaches.
 */
export type Place = "chosen" | "here";

/**
 * One browser for each task. It opens with its first address and closes when it is idle, when its session ends, and
 * with the agent. If a service runs it, there may be a second one on this machine; calls go to the one that opened an
 * address last.
 */
export class BrowserService implements AsyncDisposable {
  readonly #ctx: PluginContext;
  readonly #book: SessionBook;
  /** By task and place. */
  readonly #sessions = new Map<string, Session>();
  /** Where each task that has a browser opened an address last. */
  readonly #front = new Map<string, Place>();
  #sweeping: Promise<unknown> | undefined;
  #subscribesTo = false;
  /** DevTools address by `/browser connect`, for this run. */
  connected: string | undefined;

  constructor(ctx: PluginContext) {
    this.#ctx = ctx;
    this.#book = new SessionBook(ctx);
  }

  /** Ends at services what an earlier run left open, once. */
  sweep(): Promise<unknown> {
    return (this.#sweeping ??= this.#book
      .sweep()
      .catch((cause: unknown) =>
        this.#ctx.log.warning("Cannot list the sessions that an earlier run left open.", { cause }),
      ));
  }

  /** Sessions at services that an earlier run left open and that could not be ended yet. */
  abandoned(): Promise<readonly string[]> {
    return this.#book.abandoned();
  }

  /** The service that runs the next browser, as a sentence. */
  async where(): Promise<string | undefined> {
    const chosen = await chooseProvider(this.#ctx);
    return chosen.kind === "none"
      ? undefined
      : chosen.kind === "missing"
        ? chosen.reason
        : `${chosen.name} runs the agent's browsers (browser.cloud_provider).`;
  }

  /** Where an address is opened: a service's browser cannot reach what is on this machine and its networks. */
  async placeOf(address: string): Promise<Place> {
    if (this.endpoint !== undefined || this.#ctx.setting("browser.auto_local_for_private_urls") === false)
      return "chosen";
    if ((await chooseProvider(this.#ctx)).kind !== "provider") return "chosen";
    return (await isPrivate(address, () => this.#mayAskFor(address))) ? "here" : "chosen";
  }

  async #mayAskFor(address: string): Promise<boolean> {
    using guard = await this.#ctx.proxy();
    return (await guard.judge(address)) === undefined;
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
  words(taskId: string): UntrustedSource {
    const url = this.#sessions.get(this.#keyOf(taskId))?.url;
    const host = url === undefined ? undefined : hostOf(url);
    return { source: url?.slice(0, 500) ?? "a web page", host };
  }

  /** Host of the frame that an element of the task's page belongs to; `undefined` if that is not known. */
  async siteOf(taskId: string, ref: string): Promise<string | undefined> {
    const session = this.#sessions.get(this.#keyOf(taskId));
    const page = session?.browser?.page;
    if (session === undefined || page === undefined || page.dialog !== undefined) return undefined;
    const { siteOf } = await import("./site-of.ts");
    return siteOf(page, () => refsOf(session, page).node(ref, page.documents));
  }

  /**
   * Does something with the task's browser, one thing at a time.
   * @param options.opens Without a browser one is opened, there; else the call fails and says how.
   * @param options.dialog It may be done while a dialog holds the page.
   */
  async use<T>(
    call: UseContext,
    options: { readonly opens?: Place; readonly dialog?: boolean },
    work: (page: Page, held: Held) => Promise<T>,
  ): Promise<T> {
    const key = this.#keyOf(call.taskId, options.opens);
    const session = this.#session(call, key, options.opens);
    clearTimeout(session.timer);
    const before = session.tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    session.tail = promise;
    try {
      await before;
      const { browser, about } = await stoppable(session.opening, call.signal);
      const { page } = browser;
      if (page.dialog !== undefined && options.dialog !== true)
        throw new ToolFailure(
          "failed",
          `The page is waiting for an answer to its ${page.dialog.type}: ${JSON.stringify(page.dialog.message)}`,
          { hint: "Answer it with browser_dialog, or the user answers it in the browser." },
        );
      const held: Held = {
        browser,
        fresh: !session.used,
        about: () => reportOnce(session, about),
        refs: (of) => refsOf(session, of),
      };
      session.used = true;
      const result = await stoppable(work(page, held), call.signal);
      // A click may have opened another tab.
      session.url = (await browser.page.where().catch(() => undefined))?.url;
      return result;
    } catch (cause) {
      const lost = session.browser !== undefined && (!session.browser.tools.open || session.browser.pages.length === 0);
      // A browser that still comes is closed when it is there: who was stopped does not wait for it.
      if (session.browser === undefined || lost)
        await (call.signal.aborted ? void this.#drop(key, session) : this.#drop(key, session));
      if (!(cause instanceof ToolFailure)) throw cause;
      throw lost
        ? failed("unavailable", cause.message, "Open a new page with browser_navigate.")
        : failed(cause.code, cause.message, cause.hint);
    } finally {
      resolve();
      clearTimeout(session.timer);
      // While another call waits or works it is in use.
      if (session.tail === promise && this.#sessions.get(key) === session)
        session.timer = setTimeout(
          () => void this.#drop(key, session),
          this.seconds("browser.inactivity_timeout", 120) * 1000,
        ).unref();
    }
  }

  /** Closes those of one session of the agent, or all. */
  async close(sessionId?: string): Promise<void> {
    await Promise.all(
      [...this.#sessions].flatMap(([key, session]) =>
        sessionId === undefined || session.sessionId === sessionId ? [this.#drop(key, session)] : [],
      ),
    );
  }

  /** Closes all, and lets what is being ended at services come to its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.close(), this.#sweeping]);
  }

  #keyOf(taskId: string, place: Place = this.#front.get(taskId) ?? "chosen"): string {
    return place === "chosen" ? taskId : `${taskId} here`;
  }

  #session(call: UseContext, key: string, opens: Place | undefined): Session {
    const known = this.#sessions.get(key);
    if (
      known !== undefined &&
      (opens === undefined ||
        known.browser === undefined ||
        (known.browser.tools.open && known.browser.pages.length > 0))
    ) {
      if (opens !== undefined) this.#front.set(call.taskId, opens);
      return known;
    }
    if (known !== undefined) void this.#drop(key, known);
    if (opens === undefined) throw failed("failed", "No page is open.", "Open one with browser_navigate.");
    // Asked for only once there is something to close.
    if (!this.#subscribesTo)
      this.#ctx.hook("on_session_finalize", ({ session_id }) =>
        session_id === null ? undefined : this.close(session_id),
      );
    this.#subscribesTo = true;
    const session: Session = {
      sessionId: call.sessionId,
      taskId: call.taskId,
      opening: this.#open(call.taskId, opens),
      refs: new WeakMap(),
      browser: undefined,
      reported: false,
      used: false,
      tail: Promise.resolve(),
      timer: undefined,
      url: undefined,
    };
    session.opening.then(
      ({ browser }) => (session.browser = browser),
      () => undefined,
    ); // The caller that waits for it gets the error.
    this.#sessions.set(key, session);
    this.#front.set(call.taskId, opens);
    return session;
  }

  #open(taskId: string, place: Place): Promise<OpenedBrowser> {
    const options = this.#options();
    return place === "here" || options.endpoint !== undefined
      ? openHere({ options }, {})
      : openBrowser({ ctx: this.#ctx, book: this.#book, options }, taskId);
  }

  #options(): BrowserOptions {
    const { endpoint } = this;
    return {
      proxy: this.#ctx.proxy,
      socket: this.#ctx.socket,
      dialogs: this.#dialogRule(endpoint !== undefined),
      dialogMs: this.seconds("browser.dialog_timeout_s", 300) * 1000,
      headed: this.#ctx.setting("browser.headed") === true,
      allowPrivate: () => this.#ctx.setting("browser.allow_private_urls") === true,
      endpoint,
    };
  }

  async #drop(key: string, session: Session): Promise<void> {
    clearTimeout(session.timer);
    if (this.#sessions.get(key) === session) this.#sessions.delete(key);
    const { taskId } = session;
    if (!this.#sessions.has(this.#keyOf(taskId, "chosen")) && !this.#sessions.has(this.#keyOf(taskId, "here")))
      this.#front.delete(taskId);
    const opened = await session.opening.catch(() => undefined); // It never opened.
    await opened?.[Symbol.asyncDispose]();
  }

  /**
   * A page that wants to be left is left. Dialogs wait in a browser whose person sees them; elsewhere no answer is the
   * answer.
   */
  #dialogRule(seen: boolean): DialogRule {
    return ({ type }: Dialog) => {
      const policy = this.#ctx.setting("browser.dialog_policy");
      if (type === "beforeunload" || policy === "auto_accept") return "accept";
      return policy === "auto_dismiss" || !seen ? "dismiss" : "wait";
    };
  }
}

function reportOnce(session: Session, about: JsonObject): JsonObject {
  if (session.reported) return {};
  session.reported = true;
  return about;
}

function refsOf({ refs }: Session, page: Page): Refs {
  const known = refs.get(page) ?? new Refs();
  refs.set(page, known);
  return known;
}
