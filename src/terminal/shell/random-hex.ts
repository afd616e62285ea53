import { closeSync, openSync, readSync } from "node:fs";

const SOURCE = "/dev/urandom";
const POOL_BYTES = 512;
let pool: Buffer = Buffer.alloc(0);

/**
 * That many unguessable bytes, as hexadecimal digits. From the system itself: `node:crypto` takes longer to load than a
 * shell to start.
 */
export function randomHex(bytes: number): string {
  if (pool.length < bytes) pool = fresh(Math.max(bytes, POOL_BYTES));
  const taken = pool.toString("hex", 0, bytes);
  pool = pool.subarray(bytes);
  return taken;
}

function fresh(bytes: number): Buffer {
  const read = Buffer.alloc(bytes);
  try {
    const source = openSync(SOURCE, "r");
    try {
      if (readSync(source, read) === bytes) return read;
    } finally {
      closeSync(source);
    }
  } catch {
    // A system that has none.
  }
  return process.getBuiltinModule("node:crypto").randomBytes(bytes);
}
