import { AsyncLocalStorage } from "node:async_hooks";
import type { Ids } from "../../contract/common/clock.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import type { Prompter } from "../../contract/conversation/question.ts";
import type { Session } from "../../contract/conversation/session.ts";
import type { CallSession, Dispatch, RunningTool } from "../../engine/ports.ts";

/** A guard that calls a tool is asked about that call, too: more than this is a loop. */
const MAX_DEPTH = 8;

/** Sessions by id. */
type OpenSessions = Pick<ReadonlyMap<string, Session>, "get" | "has">;

/** A plugin's own call of a tool. */
export interface PluginCall {
  readonly plugin: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Another open session than the current one. */
  readonly sessionId?: string;
}

export interface PlaceOfCall {
  readonly sessionId: string | undefined;
  readonly prompter: Prompter | undefined;
  readonly signal?: AbortSignal;
  readonly tool?: RunningTool;
}

interface Place {
  readonly session: CallSession;
  readonly turnId: string;
  readonly callId: string;
  /** The tool that was called. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** The tools that run or ran in the call. Their plugins' later requests count as theirs, too. */
  readonly running: { readonly owner: string; readonly tool: RunningTool; ended: boolean }[];
  /** Nesting depth of plugin calls. */
  readonly depth: number;
  /** The parent call, for example of a subagent. */
  readonly around: Place | undefined;
}

/**
 * The session for a plugin's own tool call: that of the current call (in a tool, a hook, a middleware), that of its
 * slash command, otherwise the session opened last. Without any, a separate session in which no one can be asked.
 */
export class CurrentCall {
  readonly #place = new AsyncLocalStorage<Place>();
  /** The id of the session in which a command was typed. */
  readonly #typedIn = new AsyncLocalStorage<string>();
  readonly #asked = new AsyncLocalStorage<Prompter | undefined>();
  readonly #ids: Ids;
  #road: Dispatch | undefined;
  #session: Session | undefined;
  /** The attended one opened last. */
  #conversation: Session | undefined;
  readonly #attended = new WeakSet<Session>();
  readonly #prompters = new WeakMap<Session, Prompter>();
  readonly #open: OpenSessions;
  #opening: Promise<Session> | undefined;

  /** @param open The open sessions of this process. */
  constructor(ids: Ids, open: OpenSessions) {
    this.#ids = ids;
    this.#open = open;
  }

  /** Wraps the dispatch pipeline so that each call knows the call that it runs in. */
  around(dispatch: Dispatch): Dispatch {
    this.#road = (request, session, signal) => {
      const outer = request.by === "plugin" ? (this.#place.getStore()?.depth ?? 0) + 1 : 0;
      return this.#place.run(
        {
          session,
          turnId: request.turnId,
          callId: request.callId,
          name: request.tool,
          signal,
          running: [],
          depth: outer,
          around: this.#place.getStore(),
        },
        () => dispatch(request, session, signal),
      );
    };
    return this.#road;
  }

  /**
   * @param attended Turns that a plugin begins in it are shown.
   * @param prompter Its user.
   */
  enter(session: Session, attended = false, prompter?: Prompter): void {
    this.#session = session;
    if (prompter !== undefined) this.#prompters.set(session, prompter);
    if (!attended) return;
    this.#conversation = session;
    this.#attended.add(session);
  }

  /** A slash command of that session: what it calls or says happens there. */
  inSession<T>(sessionId: string, work: () => T): T {
    return this.#typedIn.run(sessionId, work);
  }

  /** Where a call runs or a command was typed at this moment. */
  get sessionId(): string | undefined {
    return this.#place.getStore()?.session.sessionId ?? this.#typedIn.getStore();
  }

  /** The call that runs at this moment, for the ledger of requests. */
  get request(): { readonly sessionId: string; readonly turnId?: string; readonly tool?: string } | undefined {
    const place = this.#place.getStore();
    const typedIn = this.#typedIn.getStore();
    if (place === undefined) return typedIn === undefined ? undefined : { sessionId: typedIn };
    return { sessionId: place.session.sessionId, turnId: place.turnId || undefined, tool: place.name };
  }

  /** Who can be asked in the call that runs now, or for whose sake work outside of a call is done. */
  get prompter(): Prompter | undefined {
    return this.#place.getStore()?.session.prompter ?? this.#asked.getStore();
  }

  /** Where a plugin's call would run now, and its user. During a call of the plugin's own tool, that asks. */
  placeOfCall(plugin: string): PlaceOfCall {
    const place = this.#place.getStore();
    if (place === undefined) {
      const session = this.#openSession();
      return { sessionId: session?.id, prompter: session && this.#prompters.get(session) };
    }
    return {
      sessionId: place.session.sessionId,
      prompter: place.session.prompter,
      signal: place.signal,
      tool: place.running.findLast(({ owner, ended }) => owner === plugin && !ended)?.tool,
    };
  }

  /** Work that is no call and may have to ask its person. */
  forUser<T>(prompter: Prompter | undefined, work: () => T): T {
    return this.#asked.run(prompter, work);
  }

  running(owner: string, tool: RunningTool): Disposable {
    const one = { owner, tool, ended: false };
    this.#place.getStore()?.running.push(one);
    return { [Symbol.dispose]: () => void (one.ended = true) };
  }

  /**
   * A request of a plugin itself. During a call of its own tool it counts as the tool's; a request of a guard does
   * not.
   * @throws {ToolFailure} The tool may not access the network now.
   */
  fetching(plugin: string, url: string): void {
    for (const { owner, tool } of this.#place.getStore()?.running ?? []) if (owner === plugin) tool.fetched(url);
  }

  /**
   * Queues an input in the conversation of the current call or command, for a subagent in its parent's; without one,
   * in the session opened last. False when there is none, it is closed, or no one would see the turn.
   */
  inject(text: string): boolean {
    const session = this.#conversationHere();
    if (session === undefined) return false;
    // That session reports how the resulting turn ends.
    session.send(text, { mode: "queue", origin: "plugin" }).catch(() => undefined);
    return true;
  }

  /**
   * Under a call of the plugin's own tool it is the tool's doing, as with `call.call`.
   * @param openOwn Opens the session for calls outside of every open session.
   */
  async call({ plugin, tool, args, sessionId }: PluginCall, openOwn: () => Promise<Session>): Promise<ToolOutcome> {
    const place = this.#place.getStore();
    if (sessionId !== undefined && sessionId !== place?.session.sessionId) {
      const session = this.#open.get(sessionId);
      return session === undefined
        ? {
            kind: "failed",
            code: "unavailable",
            message: `The plugin "${plugin}" called ${tool} in the session "${sessionId}", which is not open here.`,
          }
        : session.call(tool, args);
    }
    const own = place?.running.findLast(({ owner, ended }) => owner === plugin && !ended);
    if (own !== undefined) return own.tool.call(tool, args);
    if (place !== undefined && this.#road !== undefined) {
      if (place.depth >= MAX_DEPTH)
        return {
          kind: "failed",
          code: "loop",
          message: `"${tool}" did not run: plugin tool calls are nested more than ${MAX_DEPTH} deep.`,
        };
      return this.#road(
        { turnId: place.turnId, callId: this.#ids("call"), tool, args, by: "plugin", parentCallId: place.callId },
        place.session,
        place.signal,
      );
    }
    return (await this.#ownSession(openOwn)).call(tool, args);
  }

  #conversationHere(): Session | undefined {
    const attended = (id: string | undefined): Session | undefined => {
      const session = this.#open.get(id ?? "");
      return session !== undefined && this.#attended.has(session) ? session : undefined;
    };
    const place = this.#place.getStore();
    for (let one = place; one !== undefined; one = one.around) {
      const session = attended(one.session.sessionId);
      if (session !== undefined) return session;
    }
    if (place !== undefined) return undefined;
    const typedIn = this.#typedIn.getStore();
    return attended(typedIn !== undefined && this.#open.has(typedIn) ? typedIn : this.#conversation?.id);
  }

  /** A command may have closed its session, as one does that begins a new one. */
  #openSession(): Session | undefined {
    return this.#open.get(this.#typedIn.getStore() ?? "") ?? this.#open.get(this.#session?.id ?? "");
  }

  async #ownSession(openOwn: () => Promise<Session>): Promise<Session> {
    const session = this.#openSession();
    if (session !== undefined) return session;
    this.#opening ??= openOwn().finally(() => (this.#opening = undefined));
    return this.#opening;
  }
}
