import { fstatSync } from "node:fs";

/**
 * Whether a descriptor is a terminal, without making a stream of it: that costs milliseconds, and most starts from scripts print only at
 * their end.
 */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(descriptor);
  } catch {
    return false; // closed
  }
}
