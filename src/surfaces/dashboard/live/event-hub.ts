import { UserError } from "../../../contract/common/failure.ts";
import type { Live } from "../../../contract/conversation/fact.ts";
import type { App } from "../../../contract/services/app.ts";
import type { StoreChange } from "../../../contract/services/activity-service.ts";
import { named } from "../named-session.ts";
import { EventQueue, type LiveEvent } from "./event-queue.ts";
import type { ListedSession } from "./listed-session.ts";
import { SessionStates } from "./session-states.ts";

/** Open pages. A browser holds one stream for each visible page. */
const MOST_PAGES = 32;
/** Session rows are computed at most this often. */
const ROWS_MS = 120;

/** Topics that are no values. */
const STREAMS = ["sessions", "approvals", "facts", "changes", "chat"];

export interface Subscription {
  /** `sessions`, `approvals`, `facts`, `changes` and `chat` of `session`, and names of value topics. */
  readonly topics: ReadonlySet<string>;
  /** The session whose live text is sent. */
  readonly session?: string;
  /** Position of the last event that the page received. */
  readonly after?: number;
  readonly signal: AbortSignal;
}

/** A value that is sent again when it differs, at most every `everyMs`. */
export interface ValueTopic {
  readonly everyMs: number;
  read(app: App): Promise<unknown>;
  /** Held while a page is subscribed to it. */
  hold?(app: App): Disposable;
}

interface SentValue {
  text: string;
  at: number;
  later?: NodeJS.Timeout;
}

/** The loop that reads changes. `ready`: it knows the present position. */
interface Following {
  readonly stop: AbortController;
  readonly ready: Promise<void>;
  readonly over: Promise<void>;
}

interface Page extends Subscription {
  readonly queue: EventQueue;
}

/**
 * Sends changes to the open pages. It follows the store only while a page is open, once for all pages.
 *
 * Events: `ready`; `session` with a row of the session list, `removed`; `facts`, `changed`, `draft` and `live` of the
 * session that a page shows; `items`, `delta` and `chat` of a chat; `approval` when one is requested or decided; a value
 * topic's name with its value; `reset` when a
 * page has to load everything again.
 */
export class EventHub implements AsyncDisposable {
  /** What a page can subscribe to. */
  readonly topics: ReadonlySet<string>;
  readonly states: SessionStates;
  readonly #app: App;
  readonly #values: { readonly [topic: string]: ValueTopic };
  readonly #pages = new Set<Page>();
  #following: Following | undefined;
  #position = 0;
  #rows = new Set<string>();
  #rowsTimer: NodeJS.Timeout | undefined;
  readonly #sent = new Map<string, SentValue>();
  readonly #drafts = new Map<string, string>();
  readonly #held = new Map<string, Disposable>();

  constructor(app: App, values: { readonly [topic: string]: ValueTopic }) {
    this.#app = app;
    this.#values = values;
    this.topics = new Set([...STREAMS, ...Object.keys(values)]);
    this.states = new SessionStates(app);
  }

  /** The events of one page until its signal aborts. @throws {UserError} Too many pages are open. */
  async *open(subscription: Subscription): AsyncGenerator<LiveEvent, void, undefined> {
    if (this.#pages.size >= MOST_PAGES)
      throw new UserError(`The dashboard is open in more than ${MOST_PAGES} pages.`, {
        hint: "Close some of them, then reload this one.",
      });
    const page: Page = { ...subscription, queue: new EventQueue(subscription.signal) };
    this.#pages.add(page);
    this.#holdTopics();
    try {
      this.#following ??= this.#follow();
      await this.#following.ready;
      page.queue.push({ id: this.#position, event: "ready", data: { position: this.#position } });
      if (page.after !== undefined && page.after < this.#position) await this.#replay(page, page.after);
      void this.#sendDraft(page.session);
      for (const topic of page.topics) void this.#sendValue(topic, page);
      yield* page.queue;
    } finally {
      this.#pages.delete(page);
      this.#holdTopics();
      if (this.#pages.size === 0) await this.#stop();
    }
  }

  /** Sends a live event of a session that this process runs. */
  live(sessionId: string, live: Live): void {
    // A chat gets them as `delta`, in order with its rows.
    const follows = (page: Page): boolean => page.session === sessionId && !page.topics.has("chat");
    this.#send({ event: "live", data: { sessionId, live } }, follows);
  }

  /** Sends an event to the pages that hold this session as a chat. */
  chat(sessionId: string, event: string, data: unknown): void {
    this.#send({ event, data }, (page) => page.session === sessionId && page.topics.has("chat"));
  }

  /** Whether a page shows this session. */
  shows(sessionId: string): boolean {
    return [...this.#pages].some((page) => page.session === sessionId);
  }

  /** Sends an event to the pages that subscribed to a topic. */
  announce(topic: string, event: string, data: unknown): void {
    this.#send({ event, data }, (page) => page.topics.has(topic));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }

  #holdTopics(): void {
    for (const [topic, { hold }] of Object.entries(this.#values)) {
      const wanted = [...this.#pages].some(({ topics }) => topics.has(topic));
      if (wanted && hold !== undefined && !this.#held.has(topic)) this.#held.set(topic, hold(this.#app));
      if (wanted) continue;
      this.#held.get(topic)?.[Symbol.dispose]();
      this.#held.delete(topic);
    }
  }

  #follow(): Following {
    const stop = new AbortController();
    const ready = Promise.withResolvers<void>();
    const over = (async () => {
      await this.states.read();
      for await (const change of this.#app.activity.watch({ signal: stop.signal })) {
        this.#position = change.position;
        ready.resolve();
        await this.#take(change);
      }
    })().catch((cause: unknown) => {
      ready.reject(cause);
      if (!stop.signal.aborted) this.#app.log.error("The dashboard cannot follow the sessions.", { cause });
      this.#following = undefined;
      this.#send({ event: "reset", data: {} }, () => true);
    });
    ready.promise.catch(() => undefined); // A page that waits for it reports it.
    return { stop, ready: ready.promise, over };
  }

  async #stop(): Promise<void> {
    const following = this.#following;
    this.#following = undefined;
    clearTimeout(this.#rowsTimer);
    this.#rowsTimer = undefined;
    for (const { later } of this.#sent.values()) clearTimeout(later);
    this.#sent.clear();
    this.#drafts.clear();
    following?.stop.abort();
    await following?.over;
  }

  /** The facts that a page missed while it was hidden or not connected. */
  async #replay(page: Page, after: number): Promise<void> {
    const stop = new AbortController();
    for await (const change of this.#app.activity.watch({ signal: stop.signal, after })) {
      if (change.skipped) page.queue.push({ id: change.position, event: "reset", data: {} });
      this.#sendFacts(change, [page]);
      for (const { sessionId } of change.facts) this.#rows.add(sessionId);
      break;
    }
    stop.abort();
    this.#scheduleRows();
  }

  async #take(change: StoreChange): Promise<void> {
    if (change.skipped) this.#send({ id: change.position, event: "reset", data: {} }, () => true);
    if (change.removed) this.#send({ event: "removed", data: {} }, ({ topics }) => topics.has("sessions"));
    for (const { sessionId, recorded } of change.facts) {
      this.states.apply(sessionId, recorded.fact);
      this.#rows.add(sessionId);
    }
    this.#sendFacts(change, this.#pages);
    // Without facts, a process may have ended, or a lease.
    if (change.skipped || (change.facts.length === 0 && this.states.anyLive))
      for (const id of await this.states.read()) this.#rows.add(id);
    this.#scheduleRows();
    for (const session of new Set([...this.#pages].map((page) => page.session))) await this.#sendDraft(session);
    for (const topic of Object.keys(this.#values)) void this.#sendValue(topic);
  }

  #sendFacts({ position, facts }: StoreChange, pages: Iterable<Page>): void {
    for (const page of pages) {
      const own = !page.topics.has("facts")
        ? []
        : facts.filter(({ sessionId }) => sessionId === page.session).map(({ recorded }) => recorded);
      if (own.length > 0)
        page.queue.push({ id: position, event: "facts", data: { sessionId: page.session, facts: own } });
      const last = facts.findLast(({ sessionId }) => sessionId === page.session);
      if (last !== undefined && page.topics.has("changes"))
        page.queue.push({
          id: position,
          event: "changed",
          data: { sessionId: last.sessionId, seq: last.recorded.seq },
        });
      if (!page.topics.has("approvals")) continue;
      for (const { sessionId, recorded } of facts) {
        const { fact } = recorded;
        if (fact.type === "approval.asked" || fact.type === "approval.given")
          page.queue.push({
            id: position,
            event: "approval",
            data: { sessionId, callId: fact.callId, pending: fact.type === "approval.asked" },
          });
      }
    }
  }

  #scheduleRows(): void {
    if (this.#rows.size > 0 && this.#rowsTimer === undefined) this.#sendRows();
  }

  #sendRows(): void {
    const ids = [...this.#rows];
    this.#rows = new Set();
    this.#rowsTimer = setTimeout(() => {
      this.#rowsTimer = undefined;
      this.#scheduleRows();
    }, ROWS_MS);
    if (![...this.#pages].some(({ topics }) => topics.has("sessions"))) return;
    void Promise.all(ids.map((id) => this.#sendRow(id)));
  }

  async #sendRow(id: string): Promise<void> {
    try {
      const session: ListedSession = { ...named(await this.#app.sessions.find(id)), state: this.states.of(id) };
      this.announce("sessions", "session", session);
    } catch {
      // It was removed meanwhile.
    }
  }

  /** The text of an answer that another process streams; it saves it about twice a second. */
  async #sendDraft(sessionId: string | undefined): Promise<void> {
    if (sessionId === undefined || this.states.of(sessionId) === "done") return;
    const draft = await this.#app.activity.draft(sessionId).catch(() => undefined);
    if (draft === undefined) return;
    const text = JSON.stringify(draft);
    if (this.#drafts.get(sessionId) === text) return;
    this.#drafts.set(sessionId, text);
    this.#send({ event: "draft", data: { sessionId, ...draft } }, (page) => page.session === sessionId);
  }

  /** @param page Only for this one, which has just opened. */
  async #sendValue(topic: string, page?: Page): Promise<void> {
    const value = this.#values[topic];
    if (value === undefined || ![...this.#pages].some(({ topics }) => topics.has(topic))) return;
    const sent: SentValue = this.#sent.get(topic) ?? { text: "", at: 0 };
    this.#sent.set(topic, sent);
    if (page === undefined) {
      const early = sent.at + value.everyMs - Date.now();
      if (early > 0) {
        sent.later ??= setTimeout(() => {
          sent.later = undefined;
          void this.#sendValue(topic);
        }, early).unref();
        return;
      }
    }
    sent.at = Date.now();
    try {
      const data = await value.read(this.#app);
      const text = JSON.stringify(data);
      if (page !== undefined) page.queue.push({ event: topic, data });
      else if (text !== sent.text) this.announce(topic, topic, data);
      sent.text = text;
    } catch (cause) {
      this.#app.log.warning(`The dashboard cannot read "${topic}".`, { cause });
    }
  }

  #send(event: LiveEvent, wanted: (page: Page) => boolean): void {
    for (const page of this.#pages) if (wanted(page)) page.queue.push(event);
  }
}
