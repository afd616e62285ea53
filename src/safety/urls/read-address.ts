/** An IP address as numbers: four bytes, or eight groups of sixteen bits. */
export type Address =
  | { readonly family: 4; readonly parts: readonly number[] }
  | { readonly family: 6; readonly parts: readonly number[] };

/**
 * Reads the plain spelling that `URL` and resolvers give: `10.0.0.1`, `fe80::1`, `::ffff:1.2.3.4`. Anything else, a
 * zone included, is `undefined`.
 */
export function readAddress(text: string): Address | undefined {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  if (!bare.includes(":")) {
    const bytes = readBytes(bare);
    return bytes === undefined ? undefined : { family: 4, parts: bytes };
  }
  const groups = readGroups(bare);
  return groups === undefined ? undefined : { family: 6, parts: groups };
}

/** The one spelling of an address that is dialled, shown and compared. */
export function spellAddress({ family, parts }: Address): string {
  if (family === 4) return parts.join(".");
  return new URL(`http://[${parts.map((group) => group.toString(16)).join(":")}]`).hostname.slice(1, -1);
}

function readBytes(text: string): readonly number[] | undefined {
  const bytes = text.split(".");
  return bytes.length === 4 && bytes.every((byte) => /^(?:0|[1-9]\d{0,2})$/.test(byte) && Number(byte) < 256)
    ? bytes.map(Number)
    : undefined;
}

function readGroups(text: string): readonly number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(readHalf);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  if (tail === undefined) return head.length === 8 ? head : undefined;
  const missing = 8 - head.length - tail.length;
  return missing < 1 ? undefined : [...head, ...Array.from({ length: missing }, () => 0), ...tail];
}

function readHalf(text: string): readonly number[] | undefined {
  if (text === "") return [];
  const groups: number[] = [];
  const pieces = text.split(":");
  for (const [at, piece] of pieces.entries()) {
    if (piece.includes(".") && at === pieces.length - 1) {
      const bytes = readBytes(piece);
      if (bytes === undefined) return undefined;
      groups.push(bytes[0]! * 256 + bytes[1]!, bytes[2]! * 256 + bytes[3]!);
    } else if (/^[0-9a-f]{1,4}$/i.test(piece)) groups.push(Number.parseInt(piece, 16));
    else return undefined;
  }
  return groups;
}
