/** A message by field numbers; a repeated field has more than one value. Only what the doubles need of the format. */
export type Message = ReadonlyMap<number, readonly (Buffer | number)[]>;

export function decode(bytes: Buffer): Message {
  const fields = new Map<number, (Buffer | number)[]>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const values = fields.get(tag >>> 3) ?? [];
    fields.set(tag >>> 3, values);
    if ((tag & 7) === 0) values.push(varint());
    else if ((tag & 7) === 2) {
      const length = varint();
      values.push(bytes.subarray(at, (at += length)));
    } else at += (tag & 7) === 5 ? 4 : 8;
  }
  return fields;
}

/** Numbers, texts, bytes and messages that were encoded before. */
export function encode(fields: readonly (readonly [number, string | number | Buffer])[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([field, value]) => {
      if (typeof value === "number") return [varintOf(field * 8), varintOf(value)];
      const bytes = Buffer.from(value as string);
      return [varintOf(field * 8 + 2), varintOf(bytes.length), bytes];
    }),
  );
}

export function textOf(message: Message, field: number): string {
  return (message.get(field)?.at(-1) as Buffer | undefined)?.toString("utf8") ?? "";
}

export function numberOf(message: Message, field: number): number {
  return (message.get(field)?.at(-1) as number | undefined) ?? 0;
}

function varintOf(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest >= 128 ? (rest % 128) + 128 : rest);
    if (rest < 128) return Buffer.from(bytes);
  }
}
