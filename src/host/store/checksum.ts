/** Two 32-bit lanes over a text, as one 53-bit number. It finds damage, it keeps nobody out; node:crypto and node:zlib would cost 3–8 ms to load. */
export function checksum(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    high ^= high >>> 13;
  }
  low = Math.imul(low ^ (low >>> 15), 0x2c1b3c6d);
  high = Math.imul(high ^ (high >>> 16), 0x297a2d39);
  return ((high >>> 0) & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
}

/** Covers a record's place as well as its text, so that a row that moved is found too. */
export function recordChecksum(sessionId: string, seq: number, at: number, v: number, body: string): number {
  return checksum(`${sessionId}\n${seq}\n${at}\n${v}\n${body}`);
}
