import { createServer, type AddressInfo, type Server } from "node:net";
import { ToolFailure } from "../contract/common/failure.ts";
import type { JsonObject } from "../contract/common/json.ts";
import type { GuardedProxy, OpenProxy, OpenSocket } from "../contract/providers/web.ts";
import { Chromium, mustFindChromium } from "./chromium.ts";
import { connectTo } from "./connect.ts";
import type { DevTools, DevToolsEvent } from "./dev-tools.ts";
import { Page, type DialogRule } from "./page.ts";
import { connectToService, type ServiceBrowser } from "./service.ts";

export interface BrowserOptions {
  /** The plugin's own `ctx.proxy`. */
  readonly proxy: OpenProxy;
  /** The plugin's own `ctx.socket`, which connects to a browser that runs elsewhere, the user's or a service's. */
  readonly socket: OpenSocket;
  /** The user permits its pages to reach private networks. */
  allowPrivate?(): boolean;
  readonly dialogs: DialogRule;
  /** How long one that waits for an answer does so; then it is dismissed. */
  readonly dialogMs?: number;
  /** Shows the browser in a window; otherwise it runs headless. */
  readonly headed?: boolean;
  /** DevTools address of a browser that the user started, instead of the agent's. */
  readonly endpoint?: string;
  /** A browser that a service runs for this agent only. */
  readonly service?: ServiceBrowser;
}

const GONE = "The browser has exited.";
/** Tabs that pages open; further ones are closed as they come. */
const MAX_PAGES = 8;
/** How long Hermes waits for a browser service to show a tab. */
const TAB_MS = 30_000;
/** The first address of a tab that a page opened is waited for so long. */
const FIRST_MS = 60_000;

/**
 * A browser whose every request is judged as the agent's own are: each address by its text before it goes out, and in a
 * browser of the agent's own once more where it is dialled. The tab that opened last is the one in front.
 */
export class Browser implements AsyncDisposable {
  readonly tools: DevTools;
  /** Reasons of refused requests, as sentences, the latest last. */
  readonly refusals: string[] = [];
  readonly #guard: GuardedProxy;
  readonly #options: BrowserOptions;
  readonly #own: Chromium | undefined;
  readonly #server: Server | undefined;
  readonly #pages: Page[] = [];
  /**
   * Tabs and frames of a user's browser that are driven here. Targets that a DevTools command attaches to besides them
   * stay the user's.
   */
  readonly #ours = new Set<string>();
  readonly #ready = Promise.withResolvers<Page>();

  private constructor(
    tools: DevTools,
    guard: GuardedProxy,
    options: BrowserOptions,
    own?: { readonly chromium: Chromium; readonly server: Server },
  ) {
    this.tools = tools;
    this.#guard = guard;
    this.#options = options;
    this.#own = own?.chromium;
    this.#server = own?.server;
    tools.listen((event) => this.#receive(event));
    void tools.closed.then(() => {
      for (const page of this.#pages) page.gone(tools.reason ?? GONE);
      this.#ready.reject(new ToolFailure("unavailable", tools.reason ?? GONE));
    });
    this.#ready.promise.catch(() => undefined); // The caller that opens it gets the error.
  }

  /** @throws {ToolFailure} `unavailable` where there is none, or none that starts. */
  static async open(options: BrowserOptions): Promise<Browser> {
    const refused = (words: string): void => void browser?.refused(words);
    let browser: Browser | undefined;
    const guard = await options.proxy({
      refused,
      allowPrivate: options.allowPrivate === undefined ? undefined : () => options.allowPrivate!(),
    });
    try {
      browser =
        options.endpoint !== undefined
          ? new Browser(await connectTo(options.endpoint, options.socket), guard, options)
          : options.service === undefined
            ? await launched(guard, options)
            : new Browser(await connectToService(options.service, options.socket), guard, options);
      await (browser.#shared ? browser.#takeOwnTab() : browser.#takeAll());
      const { promise: tooLate, reject } = Promise.withResolvers<never>();
      const late =
        options.service &&
        setTimeout(
          () => reject(new ToolFailure("unavailable", `${options.service!.name}'s browser has no tab.`)),
          TAB_MS,
        );
      await Promise.race([browser.#ready.promise, tooLate]).finally(() => clearTimeout(late));
      return browser;
    } catch (cause) {
      if (browser === undefined) guard[Symbol.dispose]();
      else await browser[Symbol.asyncDispose]();
      throw cause;
    }

    async function launched(judge: GuardedProxy, { headed = false }: BrowserOptions): Promise<Browser> {
      const program = mustFindChromium();
      const server = createServer((connection) => judge.serve(connection)).unref();
      await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
      try {
        const chromium = await Chromium.start({ program, proxyPort: (server.address() as AddressInfo).port, headed });
        return new Browser(chromium.tools, judge, options, { chromium, server });
      } catch (cause) {
        server.close();
        throw cause;
      }
    }
  }

  /** The tab in front. @throws {ToolFailure} `unavailable` when none is left. */
  get page(): Page {
    const page = this.#pages.findLast(({ closed }) => closed === undefined) ?? this.#pages.at(-1);
    if (page === undefined || !this.tools.open) throw new ToolFailure("unavailable", this.tools.reason ?? GONE);
    return page;
  }

  get pages(): readonly Page[] {
    return this.#pages.filter(({ closed }) => closed === undefined);
  }

  /** The user's browser: its other tabs are the user's. */
  get #shared(): boolean {
    return this.#options.endpoint !== undefined;
  }

  /** The main process of the agent's browser. */
  get pid(): number | undefined {
    return this.#own?.pid;
  }

  refused(words: string): void {
    this.refusals.push(words);
    if (this.refusals.length > 50) this.refusals.shift();
  }

  /** Why its pages may not ask for this address, or nothing. */
  async judge(url: string, sent = "", lookUp = true): Promise<string | undefined> {
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0].toLowerCase();
    if (scheme === "http:" || scheme === "https:") return this.#guard.judge(url, { sent, lookUp });
    // Of the page itself: nothing is asked for.
    if (scheme === "data:" || scheme === "blob:" || url === "about:blank" || url === "about:srcdoc") return undefined;
    return `Only http and https pages can be opened, not ${scheme ?? "such an address"}.`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#shared)
      await Promise.all(
        this.pages.map(({ targetId }) =>
          this.tools.send("Target.closeTarget", { targetId }, undefined, 2_000).catch(() => undefined),
        ),
      ); // It is closed already.
    this.tools.close("The browser was closed.");
    await this.#own?.[Symbol.asyncDispose]();
    this.#server?.close();
    this.#guard[Symbol.dispose]();
  }

  /** A browser of the agent's own, here or of a service: every tab, frame and worker, each held until it is guarded. */
  async #takeAll(): Promise<void> {
    await this.tools.send("Browser.setDownloadBehavior", { behavior: "deny" });
    await this.tools.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
    if (this.#options.service === undefined) return;
    // Some services begin without a tab.
    const { targetInfos } = await this.tools.send("Target.getTargets");
    if (!(targetInfos as readonly JsonObject[]).some(({ type }) => type === "page"))
      await this.tools.send("Target.createTarget", { url: "about:blank" });
  }

  /** In the user's browser: takes one new tab and those that it opens. Does not look at the user's tabs. */
  async #takeOwnTab(): Promise<void> {
    await this.tools.send("Target.setDiscoverTargets", { discover: true, filter: [{ type: "page" }] });
    const { targetId } = await this.tools.send("Target.createTarget", { url: "about:blank" });
    await this.#take(String(targetId));
  }

  async #take(targetId: string): Promise<void> {
    this.#ours.add(targetId);
    await this.tools.send("Target.attachToTarget", { targetId, flatten: true });
  }

  #receive(event: DevToolsEvent): void {
    const { method, params, sessionId } = event;
    const { targetId, openerId } = (params["targetInfo"] ?? {}) as JsonObject;
    if (method === "Target.attachedToTarget") {
      // Without a request of ours it comes from one of our tabs, or from our browser.
      if (this.#shared && sessionId === undefined && !this.#ours.has(String(targetId))) return;
      void this.#attached(String(params["sessionId"]), params["targetInfo"] as JsonObject).catch(() => undefined); // It went before it was there.
    } else if (method === "Target.targetCreated") {
      if (this.#ours.has(String(openerId))) void this.#take(String(targetId)).catch(() => undefined); // It is closed already.
    } else if (method === "Target.detachedFromTarget")
      this.#pages.find((page) => page.sessionId === params["sessionId"])?.gone("The page was closed.");
    else if (method === "Fetch.requestPaused") void this.#decide(params, sessionId).catch(() => undefined); // Its page is gone, and the request with it.
    else this.#pages.find((page) => page.sessionId === sessionId)?.receive(event);
  }

  async #attached(sessionId: string, { type, targetId, openerId }: JsonObject): Promise<void> {
    const send = (method: string, params: JsonObject = {}) => this.tools.send(method, params, sessionId);
    const guard = () => send("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
    const takeInner = () =>
      send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
    this.#ours.add(String(targetId));
    if (type === "page") {
      if (this.pages.length >= MAX_PAGES)
        return void (await this.tools.send("Target.closeTarget", { targetId: targetId! }));
      const page = new Page(this.tools, sessionId, String(targetId), this.#options.dialogs, this.#options.dialogMs);
      this.#pages.splice(0, this.#pages.length, ...this.pages, page);
      await guard();
      await Promise.all([
        send("Page.enable"),
        send("Page.setLifecycleEventsEnabled", { enabled: true }),
        send("Runtime.enable"),
        send("Log.enable"),
        send("Network.setBypassServiceWorker", { bypass: true }),
        takeInner(),
      ]);
      await send("Runtime.runIfWaitingForDebugger");
      if (this.#shared && openerId !== undefined) await this.#lookAtFirst(page);
      return this.#ready.resolve(page);
    }
    // A frame is held until it is guarded. If the browser cannot hold a worker, its requests go through its page.
    await Promise.all([guard().catch(unlessUnknown), takeInner().catch(unlessUnknown)]);
    await send("Runtime.runIfWaitingForDebugger");
  }

  /**
   * A tab that a page opened in the user's browser had requested its first address before it was guarded. If that is
   * refused, the tab closes.
   */
  async #lookAtFirst(page: Page): Promise<void> {
    const url = async () => (await page.where()).url;
    if (!/^https?:/.test(await url()) && !(await page.until(() => page.documents > 0, FIRST_MS))) return;
    const reason = await this.judge(await url());
    if (reason === undefined) return;
    this.refused(reason);
    await this.tools.send("Target.closeTarget", { targetId: page.targetId });
  }

  async #decide({ requestId, request, resourceType }: JsonObject, sessionId: string | undefined): Promise<void> {
    const url = String((request as JsonObject)["url"]);
    const sent = sentWith(request as JsonObject);
    const reason =
      sent === undefined
        ? `Cannot inspect the body of the request to ${URL.parse(url)?.host ?? "this address"}, so it is not sent.`
        : await this.judge(url, sent, this.#own === undefined || resourceType === "Document");
    if (reason === undefined)
      return void (await this.tools.send("Fetch.continueRequest", { requestId: requestId! }, sessionId));
    this.refused(reason);
    await this.tools.send("Fetch.failRequest", { requestId: requestId!, errorReason: "BlockedByClient" }, sessionId);
  }
}

/**
 * The headers and the body of a request as text, each of them searched; `undefined` where the browser cannot show all
 * of the body.
 */
function sentWith({ headers, postData, postDataEntries, hasPostData }: JsonObject): string | undefined {
  // Cookies go where they came from.
  const words = Object.entries((headers ?? {}) as JsonObject).flatMap(([name, value]) =>
    name.toLowerCase() === "cookie" ? [] : [String(value)],
  );
  const parts = (postDataEntries ?? []) as readonly { readonly bytes?: string }[];
  const readable =
    hasPostData !== true ||
    (parts.length === 0 ? typeof postData === "string" : parts.every(({ bytes }) => bytes !== undefined));
  if (!readable) return undefined;
  const body =
    parts.length === 0
      ? String(postData ?? "")
      : Buffer.concat(parts.map(({ bytes }) => Buffer.from(bytes!, "base64"))).toString("utf8");
  return [...words, body].join("\n");
}

/** A command that this kind of target does not know is no failure. */
function unlessUnknown(cause: Error): void {
  if (!/wasn't found/.test(cause.message)) throw cause;
}
