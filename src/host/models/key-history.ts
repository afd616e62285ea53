import { readFileSync } from "node:fs";
import { writeCopy } from "../config/write-atomically.ts";
import type { KeysPast } from "./model-service.ts";

/** In a file of the home. It is a convenience: lost or damaged, every key is as good as new. */
export function savedKeysPast(file: string): KeysPast {
  return {
    read() {
      try {
        const past: unknown = JSON.parse(readFileSync(file, "utf8"));
        return typeof past === "object" && past !== null ? (past as ReturnType<KeysPast["read"]>) : {};
      } catch {
        return {}; // None yet, or cut off.
      }
    },
    write: (past) => writeCopy(file, JSON.stringify(past)),
  };
}
