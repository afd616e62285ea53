import { fstatSync, statSync } from "node:fs";

/**
 * Whether a descriptor is a terminal. Does not create a stream, which takes milliseconds; most runs from scripts
 * print only at their end.
 */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    const stats = fstatSync(descriptor);
    // The null device, which schedulers and scripts pass, is also a character device.
    return (
      stats.isCharacterDevice() &&
      stats.rdev !== nullDevice() &&
      process.getBuiltinModule("node:tty").isatty(descriptor)
    );
  } catch {
    return false; // closed
  }
}

function nullDevice(): number | undefined {
  return process.platform === "win32" ? undefined : statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
}
