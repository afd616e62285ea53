import type { Logger } from "../../contract/common/logger.ts";
import type { MeasuredWindow } from "../../contract/providers/model.ts";
import { RecentMap } from "../../contract/common/recent-map.ts";
import type { AnsweredRequest, ModelWindow } from "../../engine/ports.ts";
import { looksCut, type Counted } from "./cut-request.ts";

/** How long a server may take to state its window before a turn goes on without it. */
const ASK_MS = 1_000;
/** A server may be started again with another window. */
const FRESH_MS = 60_000;
/** What was learned from a refusal or from counts, without a server that states its window, holds so long. */
const LEARNED_MS = 7 * 24 * 3_600_000;
const MAX_WAYS = 256;
const MAX_SESSIONS = 500;
/** With less than this an agent forgets its work after a few steps, which the user should know. */
const LEAST_USEFUL = 16_384;
/** Smaller requests fit into every window, of a server that is known to state its own, and of any other. */
const WORTH_ASKING = 3_000;
const WORTH_ASKING_ANY = 10_000;
/** How soon the same server is asked again when it seems to cut requests. */
const AGAIN_MS = 1_000;

export interface LearnedWindows {
  read(): { readonly [way: string]: { readonly tokens: number; readonly at: number } };
  write(learned: ReturnType<LearnedWindows["read"]>): void;
}

export interface WindowQuestion {
  /** Names the service, its address and the model; no key. */
  readonly way: string;
  readonly label: string;
  readonly model: string;
  /** By its name; used until something better is known. */
  readonly assumed: number;
  /** The setting `context_length`. */
  readonly configured: number | undefined;
  /** Asks the service; absent for one that is not at hand. */
  readonly measure: ((signal: AbortSignal) => Promise<MeasuredWindow | undefined>) | undefined;
  /** The service is one that states its window, so it is asked before the first request. */
  readonly states: boolean;
}

interface State {
  stated: MeasuredWindow | undefined;
  statedAt: number;
  asking: Promise<void> | undefined;
  /** It was asked since a request loaded the model: only then some servers can tell. */
  askedLoaded: boolean;
  /** Real tokens for an estimated one, where nothing was cut. */
  ratio: number | undefined;
  reported: boolean;
  readonly sessions: RecentMap<string, Counted>;
}

/** The windows of models as far as they are known by measurement, for all sessions of the process. */
export class ModelWindows {
  readonly #states = new RecentMap<string, State>(MAX_WAYS);
  readonly #ports: {
    readonly log: Pick<Logger, "warning">;
    readonly learned: LearnedWindows;
    readonly signal: AbortSignal;
    readonly now: () => number;
  };

  constructor(ports: {
    readonly log: Pick<Logger, "warning">;
    readonly learned: LearnedWindows;
    readonly signal: AbortSignal;
    readonly now?: () => number;
  }) {
    this.#ports = { ...ports, now: ports.now ?? Date.now };
  }

  /** Begins to ask the service if that is due; nothing waits for it here. */
  of(question: WindowQuestion): ModelWindow {
    const state = this.#stateOf(question.way);
    const tokens = (): number => this.#tokens(question, state);
    // A server that was found out before stated its window then, too.
    const states = question.states || this.#learnedOf(question.way) !== undefined;
    if (states && this.#ports.now() - state.statedAt > FRESH_MS) void this.#ask(question, state);
    return {
      get tokens() {
        return tokens();
      },
      // A window that the user configured or the server stated before is good enough to begin with.
      asked: question.configured === undefined && state.stated === undefined ? state.asking : undefined,
      answered: (answer) => this.#answered(question, state, answer),
      refused: (limit) => this.#learn(question.way, limit),
    };
  }

  /** Fields of a request that ask the service for a window. */
  optionsOf(way: string): MeasuredWindow["options"] {
    return this.#states.get(way)?.stated?.options;
  }

  #stateOf(way: string): State {
    let state = this.#states.get(way);
    if (state === undefined)
      this.#states.set(
        way,
        (state = {
          stated: undefined,
          statedAt: -Infinity,
          asking: undefined,
          askedLoaded: false,
          ratio: undefined,
          reported: false,
          sessions: new RecentMap(MAX_SESSIONS),
        }),
      );
    return state;
  }

  #tokens({ way, assumed, configured }: WindowQuestion, { stated }: State): number {
    const named = configured ?? stated?.tokens ?? assumed;
    if (stated?.measured === true) return Math.min(named, stated.tokens);
    return Math.min(named, this.#learnedOf(way) ?? Infinity);
  }

  #learnedOf(way: string): number | undefined {
    const learned = this.#ports.learned.read()[way];
    return learned !== undefined && this.#ports.now() - learned.at < LEARNED_MS ? learned.tokens : undefined;
  }

  /** One question at a time. Resolves when the service answered, or took too long. */
  #ask({ measure }: WindowQuestion, state: State): Promise<void> {
    if (measure === undefined) return Promise.resolve();
    state.statedAt = this.#ports.now();
    return (state.asking ??= (async () => {
      const stop = new AbortController();
      const end = (): void => stop.abort();
      const timer = setTimeout(end, ASK_MS);
      this.#ports.signal.addEventListener("abort", end);
      try {
        const stated = await measure(stop.signal);
        state.stated = stated ?? state.stated;
      } catch {
        // A server that cannot be asked is one that says nothing.
      } finally {
        clearTimeout(timer);
        this.#ports.signal.removeEventListener("abort", end);
        state.asking = undefined;
      }
    })());
  }

  #answered(question: WindowQuestion, state: State, answer: AnsweredRequest): Promise<string | undefined> | undefined {
    const { sent, usage, sessionId } = answer;
    const counted = usage.inputTokens;
    if (counted <= 0) return undefined;
    const before = state.sessions.get(sessionId);
    const cut = looksCut({ sent, counted }, before, state.ratio);
    if (before === undefined || counted > before.counted) state.sessions.set(sessionId, { sent, counted });
    if (cut === undefined && sent >= 500) state.ratio = Math.max(state.ratio ?? 0, counted / sent);
    if (
      !state.reported &&
      state.stated?.measured === true &&
      state.stated.tokens < Math.min(LEAST_USEFUL, question.assumed)
    )
      return Promise.resolve(this.#notice(question, state, cut === undefined ? undefined : answer));
    const unsure = state.stated?.measured !== true && sent >= (question.states ? WORTH_ASKING : WORTH_ASKING_ANY);
    const restMs = cut !== undefined || question.states ? AGAIN_MS : FRESH_MS;
    const due = question.measure !== undefined && this.#ports.now() - state.statedAt > restMs;
    const loaded = state.stated?.measured === false && !state.askedLoaded;
    state.askedLoaded ||= loaded;
    if (!state.reported && (loaded || (due && (cut !== undefined || unsure))))
      return this.#compare(question, state, answer, cut);
    if (cut?.sure !== true || state.stated?.measured === true || state.reported) return undefined;
    return Promise.resolve(this.#found(question, state, cut.window, answer));
  }

  /** The service states its window now that the model is loaded. */
  async #compare(
    question: WindowQuestion,
    state: State,
    answer: AnsweredRequest,
    cut: ReturnType<typeof looksCut>,
  ): Promise<string | undefined> {
    const assumed = this.#tokens(question, state);
    await this.#ask(question, state);
    if (state.stated?.measured !== true)
      return cut?.sure === true ? this.#found(question, state, cut.window, answer) : undefined;
    const { tokens } = state.stated;
    return cut !== undefined && answer.sent * (state.ratio ?? 1) > tokens * 0.9
      ? this.#notice(question, state, answer)
      : tokens < assumed
        ? this.#notice(question, state, undefined)
        : undefined;
  }

  #found(question: WindowQuestion, state: State, window: number, answer: AnsweredRequest): string | undefined {
    this.#learn(question.way, Math.min(window, this.#learnedOf(question.way) ?? Infinity));
    return this.#notice(question, state, answer);
  }

  /** Once for a window, also over several processes. */
  #notice(question: WindowQuestion, state: State, answer: AnsweredRequest | undefined): string | undefined {
    const before = state.reported ? undefined : this.#ports.learned.read()[question.way];
    const stated = state.stated?.measured === true ? state.stated.tokens : undefined;
    state.reported = true;
    if (stated !== undefined) {
      this.#learn(question.way, stated);
      if (before?.tokens === stated) return undefined;
    }
    const { label, model } = question;
    const lost =
      answer === undefined
        ? ""
        : ` It read ${answer.usage.inputTokens} of about ${answer.sent}, so the beginning of the conversation was missing.`;
    const advice = state.stated?.advice === undefined ? "" : ` ${state.stated.advice}`;
    const notice = `${label} reads only ${this.#tokens(question, state)} tokens with ${model}.${lost} Hermes compacts conversations to fit.${advice}`;
    this.#ports.log.warning(notice);
    return notice;
  }

  #learn(way: string, tokens: number): void {
    const { learned, now } = this.#ports;
    learned.write({ ...learned.read(), [way]: { tokens, at: now() } });
  }
}
