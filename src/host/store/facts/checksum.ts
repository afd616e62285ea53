/**
 * Two 32-bit lanes over a text, as one 53-bit number. Every step of a lane is reversible, so a change of one place
 * always shows. It detects damage, not tampering; node:crypto and node:zlib would cost 3–8 ms to load.
 */
export function checksum(text: string, seed = 0): number {
  let low = 0x811c9dc5 ^ seed;
  let high = 0x9e3779b9 ^ Math.floor(seed / 0x1_0000_0000);
  const pairs = text.length & ~1;
  for (let index = 0; index < pairs; index += 2) {
    const unit = text.charCodeAt(index) | (text.charCodeAt(index + 1) << 16);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    high ^= high >>> 13;
  }
  if (pairs < text.length) {
    low = Math.imul(low ^ text.charCodeAt(pairs), 0x01000193);
    high = Math.imul(high ^ text.charCodeAt(pairs), 0x85ebca6b);
  }
  // The length, so that a NUL at the end counts.
  low = Math.imul(low ^ text.length ^ (low >>> 15), 0x2c1b3c6d);
  high = Math.imul(high ^ (high >>> 16), 0x297a2d39);
  return ((high >>> 0) & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
}

/** Covers a record's place as well as its text, so that a row that moved is found too. */
export function recordChecksum(sessionId: string, seq: number, at: number, v: number, body: string): number {
  return checksum(body, checksum(`${sessionId}\n${seq}\n${at}\n${v}`));
}
