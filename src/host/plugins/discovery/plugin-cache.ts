import { readFileSync } from "node:fs";
import type { FoundPlugin } from "./discovery.ts";
import type { PythonPlace } from "../packages/python-packages.ts";
import { writeCopy } from "../../config/write-atomically.ts";

const FORMAT = 7;

/** What is kept of the person's plugins for the next start, so that it looks into no folder. */
export interface OwnCopy {
  /** When each folder that plugins may appear in was last changed. */
  readonly folders: { readonly [dir: string]: number };
  /** Where the Python of the PATH keeps its packages. */
  readonly python: readonly PythonPlace[];
  readonly plugins: readonly FoundPlugin[];
  /** Bundled ones that no snapshot speaks for. */
  readonly extra: readonly FoundPlugin[];
}

/** The copy in that file, when this version of the program made it. */
export function readOwnCopy(file: string, version: string): OwnCopy | undefined {
  try {
    const copy = JSON.parse(readFileSync(file, "utf8")) as OwnCopy & {
      readonly format: number;
      readonly version: string;
    };
    return copy.format === FORMAT && copy.version === version ? copy : undefined;
  } catch {
    return undefined; // None yet, or cut off: it is made again.
  }
}

export function writeOwnCopy(file: string, version: string, copy: OwnCopy): void {
  writeCopy(file, JSON.stringify({ format: FORMAT, version, ...copy }));
}
