/**
 * A 64-bit fingerprint as 16 hex digits, the same on every machine. Not for security. It saves the milliseconds that
 * loading node:crypto costs at start. (MurmurHash3's mixing steps over two lanes of UTF-16 units.)
 */
export function fingerprint(text: string): string {
  let low = 0x9e3779b9;
  let high = 0x85ebca6b;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0xcc9e2d51);
    high = Math.imul(high ^ unit, 0x1b873593);
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  return hex(high) + hex(low);
}

function hex(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, "0");
}
