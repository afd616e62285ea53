import { absentMiddleware } from "../../contract/plugins/absent-hook.ts";
import type { Middleware, MiddlewareKind, MiddlewareMap } from "../../contract/plugins/hook.ts";
import type { Logger } from "../../contract/common/logger.ts";
import { frozenCopy } from "../async/frozen-copy.ts";

type Input<K extends MiddlewareKind> = MiddlewareMap[K]["input"];
type Output<K extends MiddlewareKind> = MiddlewareMap[K]["output"];

/** Middleware of one kind forms an onion, the first registered outermost: each sees what the one before handed on. */
export class Middlewares {
  readonly #log: Logger;
  readonly #wraps = new Map<MiddlewareKind, readonly Wrap[]>();

  constructor(ports: { readonly log: Logger }) {
    this.#log = ports.log;
  }

  /** An unknown kind is registered with a warning, so that a plugin for a newer version still loads. */
  add<K extends MiddlewareKind>(kind: K, middleware: Middleware<K>, owner: string): Disposable {
    const absent = absentMiddleware(owner, kind);
    if (absent !== undefined) this.#log.warning(absent, { owner, middleware: kind });
    const wrap: Wrap = { owner, middleware: middleware as unknown as Wrap["middleware"] };
    this.#wraps.set(kind, [...(this.#wraps.get(kind) ?? []), wrap]);
    return {
      [Symbol.dispose]: () => {
        const left = (this.#wraps.get(kind) ?? []).filter((one) => one !== wrap);
        if (left.length === 0) this.#wraps.delete(kind);
        else this.#wraps.set(kind, left);
      },
    };
  }

  has(kind: MiddlewareKind): boolean {
    return this.#wraps.has(kind);
  }

  list(): readonly { readonly kind: MiddlewareKind; readonly owner: string }[] {
    return [...this.#wraps].flatMap(([kind, wraps]) => wraps.map(({ owner }) => ({ kind, owner })));
  }

  /**
   * Runs `last` inside every middleware of the kind. Rejects as `last` does. A middleware that throws, or returns
   * nothing, before it called `next` is left out; one that does after `next` succeeded loses its own result to the
   * inner one, since what was done is done.
   */
  run<K extends MiddlewareKind>(
    kind: K,
    input: Input<K>,
    last: (input: Input<K>) => Promise<Output<K>>,
  ): Promise<Output<K>> {
    const wraps = this.#wraps.get(kind);
    if (wraps === undefined) return last(input);
    return this.#layer(kind, wraps, 0, input as object, last as unknown as Inner) as Promise<Output<K>>;
  }

  async #layer(kind: MiddlewareKind, wraps: readonly Wrap[], at: number, input: object, last: Inner): Promise<unknown> {
    const wrap = wraps[at];
    if (wrap === undefined) return last(input);
    const { owner, middleware } = wrap;
    let inner: Promise<unknown> | undefined;
    const next = (changed?: object): Promise<unknown> => {
      if (inner !== undefined) throw new Error(`"${owner}" called next() twice in its ${kind} middleware.`);
      inner = this.#layer(kind, wraps, at + 1, changed === undefined ? input : { ...input, ...changed }, last);
      // The caller awaits it below; a middleware that drops it must not make an unhandled rejection.
      inner.catch(() => undefined);
      return inner;
    };
    let broken: { readonly how: string; readonly cause?: unknown };
    try {
      const answer = await middleware(frozenCopy(input), next);
      if (answer !== undefined) return answer;
      broken = { how: "returned nothing" };
    } catch (cause) {
      broken = { how: "threw", cause };
    }
    const { how, ...detail } = broken;
    const result = inner as Promise<unknown> | undefined;
    if (result === undefined) {
      this.#log.error(`The ${kind} middleware of "${owner}" ${how} and is skipped.`, { ...detail, owner });
      return this.#layer(kind, wraps, at + 1, input, last);
    }
    const value = await result;
    // A step without a return value may pass that on.
    if (value !== undefined || how === "threw")
      this.#log.error(
        `The ${kind} middleware of "${owner}" ${how} after the call had succeeded; the call's result is used.`,
        { ...detail, owner },
      );
    return value;
  }
}

type Inner = (input: object) => Promise<unknown>;

interface Wrap {
  readonly owner: string;
  readonly middleware: (input: object, next: (changed?: object) => Promise<unknown>) => Promise<unknown>;
}
