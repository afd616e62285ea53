import type { ModelFailure } from "../../contract/providers/model.ts";
import type { ModelInUse } from "../ports.ts";

export type LineModel = Omit<ModelInUse, "fallbacks">;

/** Failures of this one request: they say nothing of the service's state. */
const OF_THE_REQUEST: ReadonlySet<ModelFailure["code"]> = new Set([
  "context_overflow",
  "refused",
  "bad_request",
  "bad_response",
  "cancelled",
]);

/**
 * The models of a turn, in order. One that failed is skipped for the rest of the turn, and one that rests after a
 * failure is skipped while another can answer.
 */
export class ModelLine {
  readonly #models: readonly LineModel[];
  readonly #skipped = new Set<number>();
  /** Windows that turned out smaller than assumed. */
  readonly #windows = new Map<number, number>();
  #at = 0;

  constructor({ fallbacks, ...first }: ModelInUse) {
    this.#models = [first, ...fallbacks];
    this.#at = this.#next(0) ?? 0;
  }

  /** The model to ask now. */
  get current(): LineModel {
    const model = this.#models[this.#at]!;
    const tokens = Math.min(this.#windows.get(this.#at) ?? Infinity, model.window?.tokens ?? model.contextTokens);
    return tokens === model.contextTokens ? model : { ...model, contextTokens: tokens };
  }

  /** A fallback answers from the beginning, since the selected model rests. */
  get restsFirst(): boolean {
    return this.#at > 0 && this.#skipped.size === 0;
  }

  /** The selected model. */
  get first(): LineModel {
    return this.#models[0]!;
  }

  /** The current model is only tried out after it had rested. */
  get probing(): boolean {
    return this.current.health?.state === "probe";
  }

  /** Whether another model could answer. @param longerThan Its window must be larger. */
  more(longerThan = 0): boolean {
    return this.#other(longerThan) !== undefined;
  }

  /** The current model failed; the next one takes its place for the rest of the turn, if there is one. */
  skip(failure: ModelFailure, longerThan = 0): boolean {
    this.failed(failure);
    const next = this.#other(longerThan);
    if (next === undefined) return false;
    this.#skipped.add(this.#at);
    this.#at = next;
    return true;
  }

  failed(failure: ModelFailure): void {
    if (!OF_THE_REQUEST.has(failure.code)) this.#models[this.#at]!.health?.failed(failure);
  }

  answered(): void {
    this.#models[this.#at]!.health?.answered();
  }

  /** The current model reads fewer tokens than was assumed. */
  shrink(tokens: number): void {
    this.#windows.set(this.#at, tokens);
  }

  #other(longerThan: number): number | undefined {
    return this.#next(this.#at + 1, longerThan) ?? this.#nextResting(longerThan);
  }

  #next(from: number, longerThan = 0): number | undefined {
    return this.#find((model, at) => at >= from && model.health?.state !== "rests" && model.contextTokens > longerThan);
  }

  /** All the others rest, too: then a rest is no reason to give up. */
  #nextResting(longerThan: number): number | undefined {
    return this.#find((model, at) => at !== this.#at && model.contextTokens > longerThan);
  }

  #find(fits: (model: LineModel, at: number) => boolean): number | undefined {
    const at = this.#models.findIndex((model, index) => !this.#skipped.has(index) && fits(model, index));
    return at < 0 ? undefined : at;
  }
}
