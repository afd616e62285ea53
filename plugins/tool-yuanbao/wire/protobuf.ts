import { ToolFailure } from "hermes-agent/plugin";

/** A message type: its fields by name. A table in a list is a repeated field. */
export interface Table {
  readonly [name: string]: readonly [number: number, kind: "text" | "number" | "bytes" | Table | readonly [Table]];
}

/** The values of a message; a missing value is the field's zero, which is never encoded. */
export type Values<T extends Table> = {
  readonly [name in keyof T]: T[name][1] extends "text"
    ? string
    : T[name][1] extends "number"
      ? number
      : T[name][1] extends "bytes"
        ? Uint8Array
        : T[name][1] extends readonly [infer Of extends Table]
          ? readonly Values<Of>[]
          : T[name][1] extends Table
            ? Values<T[name][1]>
            : never;
};

/** Values that may be omitted when encoding. */
export type Given<T extends Table> = {
  readonly [name in keyof T]?: T[name][1] extends "text"
    ? string
    : T[name][1] extends "number"
      ? number
      : T[name][1] extends "bytes"
        ? Uint8Array
        : T[name][1] extends readonly [infer Of extends Table]
          ? readonly Given<Of>[]
          : T[name][1] extends Table
            ? Given<T[name][1]>
            : never;
};

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH = 2;
const FOUR_BYTES = 5;

/** Fields in the order of the table. */
export function writeMessage<T extends Table>(table: T, given: Given<T>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [name, [number, kind]] of Object.entries(table)) {
    const value: unknown = given[name];
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      if (one === undefined || one === "" || one === 0) continue;
      if (kind === "number") parts.push(varint((number << 3) | VARINT), varint(one as number));
      else {
        const bytes =
          kind === "text"
            ? Buffer.from(one as string)
            : kind === "bytes"
              ? (one as Uint8Array)
              : writeMessage((Array.isArray(kind) ? kind[0] : kind) as Table, one as Given<Table>);
        if (kind === "bytes" && bytes.length === 0) continue;
        parts.push(varint((number << 3) | LENGTH), varint(bytes.length), bytes);
      }
    }
  }
  return Buffer.concat(parts);
}

/** @throws {ToolFailure} for invalid bytes. Skips fields that the table does not have. */
export function readMessage<T extends Table>(table: T, bytes: Uint8Array): Values<T> {
  const values: { [name: string]: unknown } = {};
  for (const [name, [, kind]] of Object.entries(table))
    values[name] =
      kind === "text"
        ? ""
        : kind === "number"
          ? 0
          : kind === "bytes"
            ? new Uint8Array()
            : Array.isArray(kind)
              ? []
              : undefined;
  const names = new Map(Object.entries(table).map(([name, [number]]) => [number, name]));
  const reader = new Reader(bytes);
  while (!reader.done) {
    const tag = reader.varint();
    const name = names.get(tag >>> 3);
    const raw = reader.value(tag & 7);
    const kind = name === undefined ? undefined : table[name]![1];
    if (name === undefined || kind === undefined || (kind === "number") !== (typeof raw === "number")) continue;
    if (typeof raw === "number" || kind === "bytes") values[name] = raw;
    else if (kind === "text") values[name] = Buffer.from(raw).toString();
    else if (Array.isArray(kind)) (values[name] as unknown[]).push(readMessage((kind as readonly [Table])[0], raw));
    else values[name] = readMessage(kind as Table, raw);
  }
  for (const [name, [, kind]] of Object.entries(table))
    if (typeof kind === "object" && !Array.isArray(kind)) values[name] ??= readMessage(kind as Table, new Uint8Array());
  return values as Values<T>;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** A signed integer in 64 bits. */
  varint(): number {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw broken();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw broken();
  }

  value(wire: number): number | Uint8Array {
    if (wire === VARINT) return this.varint();
    const length = wire === LENGTH ? this.varint() : wire === EIGHT_BYTES ? 8 : wire === FOUR_BYTES ? 4 : Infinity;
    if (length < 0 || length > this.#bytes.length - this.#at) throw broken();
    return this.#bytes.subarray(this.#at, (this.#at += length));
  }
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) | 0x80);
    if (rest < 128) return Uint8Array.from(bytes);
  }
}

function broken(): ToolFailure {
  return new ToolFailure("unreachable", "Yuanbao sent data that is not a message of its protocol.");
}
