import type { Json, JsonObject } from "../../../contract/json.ts";

/** Asks the other side about one of its objects. */
export type AskObject = (params: JsonObject) => Promise<Json>;

const MARK = "$";
const DISPOSERS: readonly (readonly [symbol, string])[] = [
  [Symbol.dispose, "@@dispose"],
  [Symbol.asyncDispose, "@@asyncDispose"],
];

/**
 * Values that JSON has no words for, as they cross to the other process: bytes, functions, promises, and objects with methods, which stay
 * where they are and are called there. Both sides have one.
 */
export class RemoteObjects {
  readonly #ask: AskObject;
  readonly #own = new Map<number, unknown>();
  readonly #numbers = new WeakMap<object, number>();
  #next = 0;

  constructor(ask: AskObject) {
    this.#ask = ask;
  }

  encode(value: unknown): Json {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    if (value === undefined) return { [MARK]: "undefined" };
    if (typeof value === "function") return { [MARK]: "function", ref: this.#keep(value) };
    if (typeof value !== "object") return String(value);
    if (value instanceof Uint8Array) return { [MARK]: "bytes", data: Buffer.from(value).toString("base64") };
    if (value instanceof AbortSignal) return { [MARK]: "signal" };
    if (value instanceof Promise) return { [MARK]: "promise", ref: this.#keep(value) };
    if (Array.isArray(value)) return value.map((item) => this.encode(item));
    const data = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.encode(item)]));
    const methods = methodsOf(value);
    return methods.length === 0 ? data : { [MARK]: "object", ref: this.#keep(value), methods, data };
  }

  /** @param signal Stands for a signal of the other side. */
  decode(value: Json, signal?: AbortSignal): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return (value as readonly Json[]).map((item) => this.decode(item, signal));
    const { [MARK]: mark, ref, data, methods } = value as { readonly [key: string]: Json };
    switch (mark) {
      case "undefined":
        return undefined;
      case "bytes":
        return new Uint8Array(Buffer.from(String(data), "base64"));
      case "signal":
        return signal;
      case "promise":
        return this.#call(Number(ref), undefined, []);
      case "function":
        return (...args: unknown[]) => this.#call(Number(ref), undefined, args);
      case "object": {
        const object = this.decode(data ?? null, signal) as { [key: string | symbol]: unknown };
        for (const name of methods as readonly string[]) object[symbolOf(name)] = (...args: readonly unknown[]) => this.#call(Number(ref), name, args);
        return object;
      }
      default:
        return Object.fromEntries(Object.entries(value as JsonObject).map(([key, item]) => [key, this.decode(item ?? null, signal)]));
    }
  }

  /** Calls what the other side names: a function, a method, or the value of a promise. */
  async serve(params: JsonObject, signal?: AbortSignal): Promise<Json> {
    const object = this.#own.get(Number(params["ref"]));
    if (object === undefined) throw new Error("That object is gone.");
    if (object instanceof Promise) return this.encode(await object);
    const args = (this.decode(params["args"] ?? [], signal) as readonly unknown[]) ?? [];
    const { method } = params;
    const found: unknown = typeof method === "string" ? (object as { [key: string | symbol]: unknown })[symbolOf(method)] : object;
    if (typeof found !== "function") throw new Error(`There is no ${String(method)} to call.`);
    return this.encode(await (found as (...given: readonly unknown[]) => unknown).apply(object, [...args]));
  }

  async #call(ref: number, method: string | undefined, args: readonly unknown[]): Promise<unknown> {
    const answer = await this.#ask({ ref, ...(method === undefined ? {} : { method }), args: this.encode(args) });
    return this.decode(answer);
  }

  #keep(object: object): number {
    const known = this.#numbers.get(object);
    if (known !== undefined) return known;
    this.#next += 1;
    this.#own.set(this.#next, object);
    this.#numbers.set(object, this.#next);
    return this.#next;
  }
}

/** Of the object and its classes; `constructor` and what begins with `_` are nobody's business. */
function methodsOf(object: object): readonly string[] {
  const names = new Set<string>();
  for (let at: object | null = object; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (name === "constructor" || name.startsWith("_")) continue;
      if (typeof Object.getOwnPropertyDescriptor(at, name)?.value === "function") names.add(name);
    }
    for (const [symbol, name] of DISPOSERS) if (Object.hasOwn(at, symbol)) names.add(name);
  }
  return [...names];
}

function symbolOf(name: string): string | symbol {
  return DISPOSERS.find(([, word]) => word === name)?.[0] ?? name;
}
