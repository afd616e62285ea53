import { readFileSync } from "node:fs";
import { writeCopy } from "../config/write-atomically.ts";
import type { KeysPast } from "./model-service.ts";
import type { LearnedWindows } from "./model-windows.ts";

/** In a file of the home. It is a convenience: lost or damaged, every key is as good as new. */
export function savedKeysPast(file: string): KeysPast {
  return savedIn(file);
}

/** In a file of the home: lost or damaged, windows are learned again. Read once a process. */
export function savedWindows(file: string): LearnedWindows {
  const saved = savedIn<ReturnType<LearnedWindows["read"]>>(file);
  let known: ReturnType<LearnedWindows["read"]> | undefined;
  return {
    read: () => (known ??= saved.read()),
    write(learned) {
      known = learned;
      saved.write(learned);
    },
  };
}

function savedIn<T extends object>(file: string): { read(): T; write(value: T): void } {
  return {
    read() {
      try {
        const past: unknown = JSON.parse(readFileSync(file, "utf8"));
        return (typeof past === "object" && past !== null ? past : {}) as T;
      } catch {
        return {} as T; // None yet, or cut off.
      }
    },
    write: (value) => writeCopy(file, JSON.stringify(value)),
  };
}
