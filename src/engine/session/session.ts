import type { AgentEvent, Fact, Origin } from "../../contract/conversation/fact.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { NO_USAGE } from "../../contract/common/usage.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import type { Part } from "../../contract/conversation/part.ts";
import type { Compaction, Session, SessionView, TurnEnd, Undone } from "../../contract/conversation/session.ts";
import { abortable } from "../async/abortable.ts";
import { bounded } from "../async/bounded.ts";
import { shorten } from "../turn/compaction.ts";
import { FormerProcess } from "./previous-process.ts";
import { HandCalls } from "../arguments/direct-calls.ts";
import { InputWaiters } from "../turn/input-waiters.ts";
import { cleanParts, nextInputs } from "../turn/next-inputs.ts";
import type { SessionOptions, SessionPorts } from "../ports.ts";
import { SessionCalls } from "./session-calls.ts";
import { SessionLog } from "./session-log.ts";
import type { Transcript } from "../transcript/transcript.ts";
import type { TurnResources } from "../turn/turn-resources.ts";
import { runTurn, turnEnd, TurnStopped } from "../turn/turn.ts";
import { viewOf } from "./view.ts";

/** Stopping gives control back within half a second, whatever ignores its signal. */
const STOP_MS = 450;
/** Running work may take this long to end when a session is closed. */
const END_MS = 2_000;
/**
 * Time limit for all subscribers to a session's end, called one after the other; among them are those that end its
 * processes and store its memory.
 */
const FAREWELL_MS = 10_000;

/** One conversation over its facts. It takes the lease and gives it back when it is disposed. */
export function createSession(ports: SessionPorts, options: SessionOptions): Session {
  return new EngineSession(ports, options);
}

/** How a message ended that its sender took back. */
const WITHDRAWN: TurnEnd = {
  turnId: "",
  reason: "cancelled",
  text: "",
  detail: "You took this message back.",
  usage: NO_USAGE,
  requests: 0,
  toolCalls: 0,
};

interface Input {
  readonly parts: readonly Part[];
  readonly origin: Origin;
  readonly inputId?: string;
}

class EngineSession implements Session {
  readonly id: string;
  readonly cwd: string;
  readonly #ports: SessionPorts;
  readonly #options: SessionOptions;
  readonly #log: SessionLog;
  readonly #transcript: Transcript;
  readonly #service: TurnResources;
  readonly #waiters = new InputWaiters();
  readonly #background = new Set<Promise<unknown>>();
  readonly #byHand: HandCalls;
  /** Inputs that go before all others: they stopped a turn. */
  readonly #urgent: string[] = [];
  /** Inputs that the running turn has taken in. */
  #taken: string[] = [];
  #stop: AbortController | undefined;
  #running: Promise<unknown> | undefined;
  #closed = false;
  readonly #calls: SessionCalls;
  readonly #closing = new AbortController();
  readonly #former: FormerProcess;

  constructor(ports: SessionPorts, options: SessionOptions) {
    this.#ports = ports;
    this.#options = options;
    this.id = options.sessionId;
    this.cwd = options.cwd;
    this.#log = new SessionLog(ports, options, (inputId) => void this.#taken.push(inputId));
    this.#transcript = this.#log.transcript;
    this.#calls = new SessionCalls(ports, options, this.#log, (parts, origin) => this.#queue(parts, origin));
    this.#byHand = new HandCalls({ dispatch: ports.dispatch, ids: ports.ids, closing: this.#closing.signal });
    this.#former = new FormerProcess(ports, options, this.#transcript);
    this.#service = {
      ports,
      sessionId: this.id,
      surface: options.surface,
      cwd: options.cwd,
      prompter: options.prompter !== undefined,
      transcript: this.#transcript,
      write: (facts) => this.#log.write(facts),
      hold: (facts) => this.#log.hold(facts),
      holding: () => this.#log.holding,
      flush: () => this.#log.flush(),
      stored: () => this.#log.stored(),
      live: (live) => this.#log.live(live),
      calls: () => this.#calls.session((facts) => this.#log.hold(facts)),
      conflict: () => this.#log.conflict,
      background: (work) => this.#later(work),
    };
    options.lease.lost.addEventListener("abort", this.#lost);
    if (options.lease.lost.aborted) this.#lost();
  }

  get busy(): boolean {
    return this.#running !== undefined || this.#byHand.any;
  }

  async send(
    input: string | readonly Part[],
    options: {
      readonly mode?: "queue" | "steer" | "interrupt";
      readonly origin?: Origin;
      readonly inputId?: string;
    } = {},
  ): Promise<TurnEnd> {
    this.#mustBeOpen();
    const { mode = "queue", origin = "person" } = options;
    const parts = cleanParts(input);
    if (this.#running === undefined && this.#transcript.queued.size === 0)
      return this.#occupy(() => this.#newTurn([{ parts, origin, inputId: options.inputId }]));
    const inputId = options.inputId ?? this.#ports.ids("input");
    const end = this.#waiters.wait(inputId);
    try {
      await this.#log.write([
        { type: "input.queued", inputId, mode: mode === "steer" ? "steer" : "queue", origin, parts },
      ]);
    } catch (cause) {
      this.#waiters.forget(inputId);
      throw cause;
    }
    if (mode === "interrupt") {
      this.#urgent.push(inputId);
      this.#stop?.abort(new TurnStopped("A new message stopped this turn."));
    }
    this.#pump();
    return end;
  }

  async interrupt(reason: string): Promise<void> {
    this.#byHand.stop(new TurnStopped(reason));
    const running = this.#running;
    if (running === undefined || this.#stop === undefined) return;
    this.#stop.abort(new TurnStopped(reason));
    await bounded(running, STOP_MS, this.#ports.clock);
  }

  withdraw({ newest = false, only }: Parameters<Session["withdraw"]>[0] = {}): readonly (readonly Part[])[] {
    const all = [...this.#transcript.queued.values()].filter(
      ({ origin, inputId }) => origin === "person" && only?.includes(inputId) !== false,
    );
    const inputs = newest ? all.slice(-1) : all;
    if (inputs.length === 0) return [];
    const ids = inputs.map(({ inputId }) => inputId);
    // Folded at once: a turn that begins now does not read them.
    this.#log.hold(ids.map((inputId): Fact => ({ type: "input.withdrawn", inputId })));
    this.#waiters.ended(ids, WITHDRAWN);
    return inputs.map(({ parts }) => parts);
  }

  async compact({ focus }: { readonly focus?: string } = {}): Promise<Compaction | undefined> {
    this.#mustBeOpen();
    if (this.#running !== undefined || this.#transcript.open !== undefined)
      throw new UserError("Cannot compact the conversation while a turn is running.", {
        hint: "Try again when the turn has ended.",
      });
    const stop = new AbortController();
    this.#stop = stop;
    const work = this.#compact(focus, stop.signal);
    this.#running = work.catch(() => {}); // For those who only wait for it to be over.
    try {
      return await work;
    } finally {
      this.#stop = undefined;
      this.#running = undefined;
      queueMicrotask(() => this.#pump());
    }
  }

  async undo(options: Parameters<Session["undo"]>[0] = {}): Promise<Undone | undefined> {
    this.#mustBeOpen();
    if (this.#running !== undefined || this.#byHand.any)
      throw new UserError("Cannot take back an exchange while a turn is running.", {
        hint: "Try again when the turn has ended, or stop it first: /stop",
      });
    const work = this.#undo(options);
    // No turn begins meanwhile: its messages would be cut, too.
    this.#running = work.catch(() => {});
    try {
      return await work;
    } finally {
      this.#running = undefined;
      queueMicrotask(() => this.#pump());
    }
  }

  async setState(key: string, value: Json): Promise<void> {
    this.#mustBeOpen();
    await this.#log.write([{ type: "state.set", key, value }]);
  }

  state(key: string): Json | undefined {
    return this.#transcript.state.get(key);
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) {
      await this.#running;
      // The next turn begins in a microtask after the end of this one.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async resume(): Promise<TurnEnd | undefined> {
    this.#mustBeOpen();
    if (this.#running !== undefined) return undefined;
    if (this.#transcript.open !== undefined) {
      return this.#occupy(async (signal) => {
        await this.#log.write(await this.#former.settled());
        return this.#carryOn(signal);
      });
    }
    const open = await this.#former.closed("");
    if (open.length > 0) await this.#log.write(open);
    if (this.#running !== undefined) return undefined; // A message came meanwhile and has begun a turn.
    const inputs = this.#nextInputs();
    return inputs.length === 0 ? undefined : this.#occupy(() => this.#newTurn(inputs));
  }

  whenHandled(inputId: string): Promise<TurnEnd> {
    this.#mustBeOpen();
    return this.#waiters.wait(inputId);
  }

  interrupted(): readonly string[] {
    return this.#running !== undefined ? [] : this.#former.lines();
  }

  async call(tool: string, args: JsonObject): Promise<ToolOutcome> {
    this.#mustBeOpen();
    return this.#byHand.call(tool, args, this.#transcript.open?.turnId ?? "", this.#calls.session());
  }

  subscribe(listener: (event: AgentEvent) => void): Disposable {
    return this.#log.listeners.add(listener);
  }

  view(): SessionView {
    return viewOf(this.#log.facts);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close("shutdown");
  }

  async close(reason: "session_boundary" | "shutdown"): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#closing.abort(new TurnStopped("The session was closed."));
    this.#stop?.abort(this.#closing.signal.reason);
    const { clock, hooks } = this.#ports;
    await bounded(Promise.allSettled([this.#running, this.#byHand.ended()]), END_MS, clock);
    await bounded(Promise.allSettled([...this.#background, hooks.observed()]), END_MS, clock);
    if (this.#log.begun)
      await bounded(
        hooks.observe("on_session_finalize", {
          session_id: this.id,
          platform: this.#options.surface,
          reason,
          parent_session_id: this.#transcript.subagent?.parentId,
        }),
        FAREWELL_MS,
        clock,
      );
    await this.#log.flush().catch(() => {}); // The last writer already received the store's failure.
    this.#log.close(new UserError(`Session "${this.id}" is closed.`));
    this.#waiters.giveUp(
      new UserError("The session was closed before this message was handled.", {
        hint: "It is saved and handled when the session is opened again.",
      }),
    );
    this.#log.listeners.clear();
    this.#options.lease.lost.removeEventListener("abort", this.#lost);
    await this.#options.lease[Symbol.asyncDispose]();
  }

  /** Marks the session busy synchronously, so that no other turn can start meanwhile. */
  #occupy(work: (signal: AbortSignal) => Promise<TurnEnd>): Promise<TurnEnd> {
    const stop = new AbortController();
    this.#stop = stop;
    this.#taken = [];
    if (this.#closed || this.#log.conflict !== undefined) stop.abort(this.#log.conflict ?? this.#closing.signal.reason);
    const turn = (async () => {
      let well = false;
      try {
        const end = await work(stop.signal);
        well = true;
        this.#waiters.ended(this.#taken, end);
        return end;
      } catch (cause) {
        this.#waiters.failed(this.#taken, cause);
        throw cause;
      } finally {
        this.#stop = undefined;
        this.#running = undefined;
        // After a failure of the store nothing starts automatically: it would fail the same way again and again.
        if (well) queueMicrotask(() => this.#pump());
      }
    })();
    this.#running = turn.catch(() => {}); // For those who only wait for it to be over.
    return turn;
  }

  /** Begins the next turn when input waits and nothing runs. */
  #pump(): void {
    if (this.#running !== undefined || this.#closed || this.#log.conflict !== undefined) return;
    const inputs = this.#nextInputs();
    if (inputs.length === 0) return;
    this.#occupy(() => this.#newTurn(inputs)).catch((cause: unknown) => {
      this.#ports.log.error(`A queued message of session "${this.id}" could not be handled; it is saved.`, { cause });
      this.#waiters.failed(
        inputs.flatMap(({ inputId }) => inputId ?? []),
        cause,
      );
    });
  }

  async #newTurn(inputs: readonly Input[]): Promise<TurnEnd> {
    const signal = this.#stop!.signal;
    const turnId = this.#ports.ids("turn");
    const asking = this.#former.whileAway(() => this.#calls.offered(), {
      sessionId: this.id,
      queue: (parts) => this.#queue(parts, "process"),
    });
    await this.#log.write([
      ...(await this.#former.closed("It was interrupted, and a new message came before it was resumed.")),
      { type: "turn.started", turnId },
      ...inputs.map(({ parts, origin, inputId }): Fact => ({
        type: "message.added",
        turnId,
        origin,
        parts,
        inputId,
      })),
    ]);
    const away = await asking;
    if (away.length > 0)
      await this.#log.write(away.map((parts): Fact => ({ type: "message.added", turnId, origin: "process", parts })));
    return this.#carryOn(signal);
  }

  async #queue(parts: readonly Part[], origin: Origin): Promise<void> {
    await this.#log.write([{ type: "input.queued", inputId: this.#ports.ids("input"), mode: "queue", origin, parts }]);
    this.#pump();
  }

  async #carryOn(signal: AbortSignal): Promise<TurnEnd> {
    const turn = this.#transcript.open!;
    try {
      return await runTurn(this.#service, signal);
    } catch (cause) {
      this.#ports.log.error(`Turn "${turn.turnId}" of session "${this.id}" could not be stored to its end.`, {
        cause,
      });
      const why = cause instanceof Error ? cause.message : String(cause);
      return turnEnd(
        turn,
        "failed",
        "",
        this.#log.conflict === undefined ? `What happened could not be stored: ${why}` : why,
      );
    }
  }

  async #compact(focus: string | undefined, signal: AbortSignal): Promise<Compaction | undefined> {
    if (this.#transcript.prefix === undefined) return undefined;
    const model = await abortable(this.#ports.model({ sessionId: this.id, chosen: this.#transcript.model }), signal);
    const done = await abortable(shorten(this.#service, model, { force: true, signal, focus }), signal);
    return done === undefined
      ? undefined
      : { tokensBefore: done.tokensBefore ?? 0, tokensAfter: done.tokensAfter ?? 0, summary: done.summary };
  }

  async #undo({ exchanges = 1, again }: NonNullable<Parameters<Session["undo"]>[0]>): Promise<Undone | undefined> {
    await this.#log.flush();
    const { lastExchanges } = await import("./undo.ts");
    const found = lastExchanges(this.#log.facts, exchanges);
    if (found === undefined) return undefined;
    const { from, turns, ...undone } = found;
    const inputId = again?.inputId ?? this.#ports.ids("input");
    const input: Fact = { type: "input.queued", inputId, mode: "queue", origin: "person", parts: undone.parts };
    const end = again === undefined ? undefined : this.#waiters.wait(inputId);
    await this.#log.write([
      ...(await this.#former.closed("It was interrupted, and the user took it back.")),
      { type: "turns.undone", from, turns },
      ...(again === undefined ? [] : [input]),
    ]);
    return { ...undone, again: end };
  }

  #nextInputs(): readonly Input[] {
    return nextInputs(this.#transcript.queued.values(), this.#urgent.shift());
  }

  #later(work: Promise<unknown>): void {
    const one = work
      .catch((cause: unknown) => this.#ports.log.error("An observer of a turn's end failed.", { cause }))
      .finally(() => this.#background.delete(one));
    this.#background.add(one);
  }

  readonly #lost = (): void => {
    const reason: unknown = this.#options.lease.lost.reason;
    const conflict =
      reason instanceof Error && reason.name !== "AbortError"
        ? reason
        : new UserError(`Session "${this.id}" was taken over by another process; this one stopped writing to it.`, {
            hint: `Nothing is lost: hermes --resume ${this.id} resumes it when the other process is done.`,
          });
    this.#log.close(conflict);
    this.#stop?.abort(conflict);
    // The end of the running turn answers the inputs it has accepted.
    this.#waiters.giveUp(conflict, this.#taken);
  };

  #mustBeOpen(): void {
    if (this.#closed) throw new UserError(`Session "${this.id}" is closed.`);
  }
}
