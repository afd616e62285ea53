import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

export interface ObjectPorts {
  /** Sends the other side a request about one of its objects. */
  ask(params: JsonObject): Promise<Json>;
  /** Reports how often each of its objects arrived here and is no longer held. */
  release(refs: { readonly [ref: string]: number }): void;
}

/** An object of this side that crossed, and how often: held until the other side has released it as often. */
interface Retained {
  readonly object: unknown;
  times: number;
}

/** The stand-in for an object of the other side; everything derived from it holds it. */
interface StandIn {
  readonly ref: string;
}

const MARK = "$";
const DISPOSERS: readonly (readonly [symbol, string])[] = [
  [Symbol.dispose, "@@dispose"],
  [Symbol.asyncDispose, "@@asyncDispose"],
];

/**
 * Transfers values without a JSON form to the other process: bytes, functions, promises, and objects with methods,
 * which stay here and are called remotely. Both sides have one table. A value that crossed is held as long as the other
 * side has a stand-in for it.
 */
export class RemoteObjects {
  readonly #ports: ObjectPorts;
  readonly #own = new Map<string, Retained>();
  readonly #refs = new WeakMap<object, string>();
  /**
   * Separates this table from others, such as that of another process: an outdated stand-in must not reach another
   * object.
   */
  readonly #prefix = randomUUID().slice(0, 8);
  #next = 0;
  /** Objects with a pending request, which are not released. */
  readonly #asked = new Set<StandIn>();
  #released: { [ref: string]: number } = {};
  readonly #gone = new FinalizationRegistry<string>((ref) => {
    if (Object.keys(this.#released).length === 0) setImmediate(() => this.#report());
    this.#released[ref] = (this.#released[ref] ?? 0) + 1;
  });

  constructor(ports: ObjectPorts) {
    this.#ports = ports;
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

  /** @param signal Represents a signal of the other side. */
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
        return this.#call(this.#standIn(ref), undefined, []);
      case "function": {
        const there = this.#standIn(ref);
        return (...args: unknown[]) => this.#call(there, undefined, args);
      }
      case "object": {
        const there = this.#standIn(ref);
        const object = this.decode(data ?? null, signal) as { [key: string | symbol]: unknown };
        for (const name of methods as readonly string[])
          object[symbolOf(name)] = (...args: readonly unknown[]) => this.#call(there, name, args);
        return object;
      }
      default:
        return Object.fromEntries(
          Object.entries(value as JsonObject).map(([key, item]) => [key, this.decode(item ?? null, signal)]),
        );
    }
  }

  /** Calls what the other side names: a function, a method, or the value of a promise. */
  async serve(params: JsonObject, signal?: AbortSignal): Promise<Json> {
    const object = this.#own.get(String(params["ref"]))?.object;
    if (object === undefined) throw new Error("This object no longer exists.");
    if (object instanceof Promise) return this.encode(await object);
    const args = (this.decode(params["args"] ?? [], signal) as readonly unknown[]) ?? [];
    const { method } = params;
    const found: unknown =
      typeof method === "string" ? (object as { [key: string | symbol]: unknown })[symbolOf(method)] : object;
    if (typeof found !== "function") throw new Error(`There is no method ${String(method)}.`);
    return this.encode(await (found as (...given: readonly unknown[]) => unknown).apply(object, [...args]));
  }

  /** The other side no longer holds them. */
  release(refs: JsonObject): void {
    for (const [ref, times] of Object.entries(refs)) {
      const saved = this.#own.get(ref);
      if (saved === undefined) continue;
      saved.times -= Number(times);
      if (saved.times <= 0) this.#own.delete(ref);
    }
  }

  /** The other side has ended, and every stand-in for an object of this one with it. */
  releaseAll(): void {
    this.#own.clear();
  }

  async #call(there: StandIn, method: string | undefined, args: readonly unknown[]): Promise<unknown> {
    this.#asked.add(there);
    try {
      const answer = await this.#ports.ask(
        definedFields({
          ref: there.ref,
          method,
          args: this.encode(args),
        }),
      );
      return this.decode(answer);
    } finally {
      this.#asked.delete(there);
    }
  }

  #standIn(ref: Json | undefined): StandIn {
    const there = { ref: String(ref) };
    this.#gone.register(there, there.ref);
    return there;
  }

  #report(): void {
    const refs = this.#released;
    this.#released = {};
    this.#ports.release(refs);
  }

  #keep(object: object): string {
    const ref = this.#refs.get(object) ?? `${this.#prefix}.${(this.#next += 1)}`;
    this.#refs.set(object, ref);
    const saved = this.#own.get(ref) ?? { object, times: 0 };
    saved.times += 1;
    this.#own.set(ref, saved);
    return ref;
  }
}

/** Methods of the object and its classes, without `constructor` and private ones that begin with `_`. */
function methodsOf(object: object): readonly string[] {
  const names = new Set<string>();
  for (
    let at: object | null = object;
    at !== null && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  ) {
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
