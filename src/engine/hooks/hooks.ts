import type { Clock } from "../../contract/common/clock.ts";
import { absentHook } from "../../contract/plugins/absent-hook.ts";
import type {
  HookAnswer,
  HookHandler,
  HookKind,
  HookMap,
  HookName,
  HookOptions,
  HookPayload,
} from "../../contract/plugins/hook.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Logger } from "../../contract/common/logger.ts";
import { bounded } from "../async/bounded.ts";
import { frozenCopy } from "../async/frozen-copy.ts";

type OfKind<Kind extends HookKind> = { [K in HookName]: HookMap[K]["kind"] extends Kind ? K : never }[HookName];
/** Any value but `undefined` and `null` counts as an answer. */
type SentMessage<K extends HookName> = Exclude<HookAnswer<K>, null | undefined | void>;

/** A guard's verdict. `broken`: it failed to give one; the caller refuses and names `owner`. */
export type FirstAnswer<K extends HookName> =
  | { readonly kind: "verdict"; readonly verdict: SentMessage<K>; readonly owner: string }
  | { readonly kind: "none" }
  | { readonly kind: "broken"; readonly owner: string; readonly reason: string };

export interface Guard<K extends HookName> {
  readonly owner: string;
  /**
   * Never rejects; without a promise if the guard answers at once.
   * @param payload A frozen copy.
   */
  ask(payload: HookPayload<K>): FirstAnswer<K> | Promise<FirstAnswer<K>>;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** How long an observer may hold up a turn, once. */
const PATIENCE_MS = 1_000;
/** After it, the session and often the process ends. */
const FINAL: ReadonlySet<HookName> = new Set(["on_session_finalize"]);

/**
 * The one driver of all hooks. How answers combine is in each hook's type; payloads are frozen copies, so no handler
 * can change the caller's.
 */
export class Hooks {
  readonly #ports: { readonly log: Logger; readonly clock: Clock };
  readonly #handlers = new Map<HookName, readonly Listening[]>();
  readonly #odd = new WeakSet<Listening>();
  /** Observers that hold up no turn any more. */
  readonly #slow = new WeakSet<Listening>();
  /** What each busy observer still has to receive. */
  readonly #backlogs = new Map<Listening, Promise<void>>();

  constructor(ports: { readonly log: Logger; readonly clock: Clock }) {
    this.#ports = ports;
  }

  /**
   * In order of registration. An unknown name is registered with a warning, so that a plugin for a newer version still
   * loads.
   */
  add<K extends HookName>(name: K, handler: HookHandler<K>, owner: string, options: HookOptions = {}): Disposable {
    const absent = absentHook(owner, name);
    if (absent !== undefined) this.#ports.log.warning(absent, { owner, hook: name });
    const listening: Listening = {
      owner,
      handler: handler as Listening["handler"],
      timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    };
    this.#handlers.set(name, [...(this.#handlers.get(name) ?? []), listening]);
    return {
      [Symbol.dispose]: () => {
        const left = (this.#handlers.get(name) ?? []).filter((one) => one !== listening);
        if (left.length === 0) this.#handlers.delete(name);
        else this.#handlers.set(name, left);
      },
    };
  }

  /** Puts the handlers of these owners into this order, before those of others; each owner's own keep theirs. */
  reorder(owners: readonly string[]): void {
    const rank = new Map(owners.map((owner, at) => [owner, at]));
    const rankOf = ({ owner }: Listening): number => rank.get(owner) ?? owners.length;
    for (const [name, handlers] of this.#handlers)
      this.#handlers.set(
        name,
        [...handlers].sort((a, b) => rankOf(a) - rankOf(b)),
      );
  }

  /** Ask before building an expensive payload. */
  has(name: HookName): boolean {
    return this.#handlers.has(name);
  }

  list(): readonly { readonly name: string; readonly owner: string }[] {
    return [...this.#handlers].flatMap(([name, handlers]) => handlers.map(({ owner }) => ({ name, owner })));
  }

  /** Tells everybody, one after the other. Never rejects. */
  async observe<K extends OfKind<"observe">>(name: K, payload: HookPayload<K>): Promise<void> {
    const listeners = this.#handlers.get(name);
    if (listeners === undefined) return;
    const shared = frozenCopy(payload);
    for (const listening of listeners) {
      const backlog = this.#backlogs.get(listening);
      // Each observer receives its events in order; one that is slow gets the next when it has done the last.
      const ran =
        backlog === undefined
          ? this.#run(name, listening, shared)
          : backlog.then(() => this.#run(name, listening, shared));
      if (!(ran instanceof Promise)) continue;
      const done = ran.then(() => {
        if (this.#backlogs.get(listening) === done) this.#backlogs.delete(listening);
      });
      this.#backlogs.set(listening, done);
      // What is about to end must wait for those that save something; nothing else waits for an observer twice.
      if (FINAL.has(name)) await done;
      else if (!this.#slow.has(listening)) await this.#patiently(name, listening, done);
    }
  }

  /** Resolves when every observer has received what it was sent. */
  async observed(): Promise<void> {
    while (this.#backlogs.size > 0) await Promise.all(this.#backlogs.values());
  }

  /** Waits a little, once: an observer that takes longer is named, and never waited for again. */
  async #patiently(name: HookName, listening: Listening, done: Promise<void>): Promise<void> {
    const ended = await bounded(done, PATIENCE_MS, this.#ports.clock);
    if (ended.kind === "value") return;
    this.#slow.add(listening);
    const { owner } = listening;
    this.#ports.log.warning(
      `The hook "${name}" of "${owner}" takes longer than ${PATIENCE_MS} ms; turns no longer wait for it.`,
      { owner, hook: name },
    );
  }

  /** Every answer, in order of registration. Never rejects. */
  async collect<K extends OfKind<"collect">>(
    name: K,
    payload: HookPayload<K>,
  ): Promise<readonly { readonly owner: string; readonly piece: SentMessage<K> }[]> {
    const listeners = this.#handlers.get(name);
    if (listeners === undefined) return [];
    const shared = frozenCopy(payload);
    const pieces: { owner: string; piece: SentMessage<K> }[] = [];
    for (const listening of listeners) {
      const ran = await this.#run(name, listening, shared);
      if (ran.kind !== "answered" || ran.answer === undefined || ran.answer === null) continue;
      if (isPiece(ran.answer)) pieces.push({ owner: listening.owner, piece: ran.answer as SentMessage<K> });
      else this.#reportOdd(name, listening, ran.answer);
    }
    return pieces;
  }

  /** `payload.value` as the handlers leave it. Only strings count as answers. Never rejects. */
  async chain<K extends OfKind<"chain">>(name: K, payload: HookPayload<K>): Promise<string> {
    let value: string = payload.value;
    for (const listening of this.#handlers.get(name) ?? []) {
      const running = this.#run(name, listening, frozenCopy({ ...payload, value }));
      const ran = running instanceof Promise ? await running : running;
      if (ran.kind !== "answered") continue;
      if (typeof ran.answer === "string") value = ran.answer;
      else this.#reportOdd(name, listening, ran.answer);
    }
    return value;
  }

  /**
   * The first well-formed verdict. Never rejects; a guard that throws or takes too long ends the asking as `broken`.
   */
  async first<K extends OfKind<"first">>(name: K, payload: HookPayload<K>): Promise<FirstAnswer<K>> {
    const listeners = this.#handlers.get(name);
    if (listeners === undefined) return NO_VERDICT;
    const shared = frozenCopy(payload);
    for (const listening of listeners) {
      const running = this.#run(name, listening, shared);
      const judged = this.#judged(name, listening, running instanceof Promise ? await running : running);
      if (judged.kind !== "none") return judged;
    }
    return NO_VERDICT;
  }

  /** The guards of this hook, in order, to be called one by one: for callers that need more than the first answer. */
  each<K extends OfKind<"first">>(name: K): readonly Guard<K>[] {
    return (this.#handlers.get(name) ?? []).map((listening) => ({
      owner: listening.owner,
      ask: (payload) => {
        const running = this.#run(name, listening, payload);
        return running instanceof Promise
          ? running.then((ran) => this.#judged(name, listening, ran))
          : this.#judged(name, listening, running);
      },
    }));
  }

  #judged<K extends OfKind<"first">>(name: K, listening: Listening, ran: Ran): FirstAnswer<K> {
    const { owner } = listening;
    if (ran.kind === "failed") return { kind: "broken", owner, reason: ran.reason };
    if (isVerdict(name, ran.answer)) return { kind: "verdict", verdict: ran.answer as SentMessage<K>, owner };
    this.#reportOdd(name, listening, ran.answer);
    return NO_VERDICT;
  }

  /** Said once of each handler: an answer that counts as none may have been meant as one. */
  #reportOdd(name: HookName, listening: Listening, answer: unknown): void {
    if (
      answer === undefined ||
      answer === null ||
      this.#odd.has(listening) ||
      (isObject(answer) && answer["action"] === "allow")
    )
      return;
    this.#odd.add(listening);
    const { owner } = listening;
    this.#ports.log.warning(
      `The hook "${name}" of "${owner}" answered ${shortly(answer)}, which this hook does not understand; it is ignored.`,
      { owner, hook: name },
    );
  }

  /** At once when the handler answers at once: then a hook costs no promise and no timer. */
  #run(name: HookName, listening: Listening, payload: object): Ran | Promise<Ran> {
    try {
      const answer = listening.handler(payload);
      return isPromise(answer) ? this.#inTime(name, listening, answer) : { kind: "answered", answer };
    } catch (cause) {
      return this.#threw(name, listening, cause);
    }
  }

  async #inTime(name: HookName, listening: Listening, answer: PromiseLike<unknown>): Promise<Ran> {
    const { owner, timeoutMs } = listening;
    try {
      const ended = await bounded(answer, timeoutMs, this.#ports.clock);
      if (ended.kind === "value") return { kind: "answered", answer: ended.value };
    } catch (cause) {
      return this.#threw(name, listening, cause);
    }
    const reason = `gave no answer within ${timeoutMs} ms`;
    this.#ports.log.error(`The hook "${name}" of "${owner}" ${reason}; it is skipped.`, {
      owner,
      hook: name,
      timeoutMs,
    });
    return { kind: "failed", reason };
  }

  #threw(name: HookName, { owner }: Listening, cause: unknown): Ran {
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#ports.log.error(`The hook "${name}" of "${owner}" threw: ${reason}`, { cause, owner, hook: name });
    return { kind: "failed", reason };
  }
}

const NO_VERDICT = { kind: "none" } as const;

interface Listening {
  readonly owner: string;
  readonly handler: (payload: object) => unknown;
  readonly timeoutMs: number;
}

type Ran =
  | { readonly kind: "answered"; readonly answer: unknown }
  | { readonly kind: "failed"; readonly reason: string };

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Values that may join a request. */
function isPiece(answer: unknown): boolean {
  return typeof answer === "string" || (isObject(answer) && typeof answer["context"] === "string");
}

/** The type of the value, not its content: that may be anything. */
function shortly(answer: unknown): string {
  if (Array.isArray(answer)) return "a list";
  if (!isObject(answer)) return typeof answer === "string" ? "a text" : String(typeof answer);
  return `an object with ${Object.keys(answer).slice(0, 5).join(", ") || "nothing in it"}`;
}

/**
 * Handlers carry over from where any return value was allowed, so anything that is not exactly a verdict is no verdict.
 */
function isVerdict(name: OfKind<"first">, answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null || !("action" in answer)) return false;
  const { action } = answer;
  const message = "message" in answer ? answer.message : undefined;
  const ruleKey = "rule_key" in answer ? answer.rule_key : undefined;
  switch (name) {
    case "pre_tool_call":
      if (action === "modify") return isObject("args" in answer ? answer.args : undefined);
      if (action === "approve")
        return (
          (message === undefined || typeof message === "string") &&
          (ruleKey === undefined || typeof ruleKey === "string") &&
          (!("args" in answer) || answer.args === undefined || isObject(answer.args))
        );
      return action === "block" && typeof message === "string" && message !== "";
    case "pre_verify":
      return action === "continue" && typeof message === "string" && message !== "";
    case "pre_command":
      if (action === "handled") return message === undefined || typeof message === "string";
      if (action === "rewrite")
        return (
          "command" in answer &&
          typeof answer.command === "string" &&
          (!("args" in answer) || answer.args === undefined || typeof answer.args === "string")
        );
      return action === "block" && typeof message === "string" && message !== "";
    case "pre_gateway_dispatch":
      return (
        action === "skip" ||
        action === "allow" ||
        (action === "rewrite" && "text" in answer && typeof answer.text === "string")
      );
  }
}
