import { decodeBytes } from "hermes-agent/plugin";

const LOOKED_AT = 1_000;
const TOLERATED = 0.3;

/**
 * Whether more than 30 % of the first 1000 bytes are unprintable. Text in any script and encoding that can be read
 * counts as printable.
 */
export function looksBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, LOOKED_AT);
  if (head.length === 0) return false;
  const text = new TextDecoder().decode(head, { stream: true });
  let odd = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0xfffd || code === 0x7f || (code < 32 && !(code >= 8 && code <= 13) && code !== 27)) odd++;
  }
  if (odd / text.length <= TOLERATED) return false;
  // The last byte may be half a character.
  const decoded = decodeBytes(head) ?? decodeBytes(head.subarray(0, -1));
  return decoded === undefined || decoded.encoding.name === "utf-8";
}
