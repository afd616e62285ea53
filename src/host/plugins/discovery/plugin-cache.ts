import { readFileSync } from "node:fs";
import type { FoundPlugin } from "./discovery.ts";
import type { PythonPlace } from "../packages/python-packages.ts";
import { writeCopy } from "../../config/write-atomically.ts";

const FORMAT = 8;

/** A cache of the user's plugins for the next start, so that it reads no folders. */
export interface OwnCopy {
  /** The time of the last change of each folder that plugins may appear in. */
  readonly folders: { readonly [dir: string]: number };
  /** The package folders of the Python on PATH. */
  readonly python: readonly PythonPlace[];
  readonly plugins: readonly FoundPlugin[];
  /** Bundled ones that are not in a snapshot. */
  readonly extra: readonly FoundPlugin[];
}

/** The cache in that file, if this version of the program wrote it. */
export function readOwnCopy(file: string, version: string): OwnCopy | undefined {
  try {
    const copy = JSON.parse(readFileSync(file, "utf8")) as OwnCopy & {
      readonly format: number;
      readonly version: string;
    };
    return copy.format === FORMAT && copy.version === version ? copy : undefined;
  } catch {
    return undefined; // Missing or truncated: it is written again.
  }
}

export function writeOwnCopy(file: string, version: string, copy: OwnCopy): void {
  writeCopy(file, JSON.stringify({ format: FORMAT, version, ...copy }));
}
