import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../contract/common/is-object.ts";
import type { LeftBackground } from "../../contract/services/agent-service.ts";
import { writeAtomically } from "../config/write-atomically.ts";

/** A background session that is not announced yet, with the process that runs it. */
export interface BackgroundFile extends LeftBackground {
  readonly owner: string;
}

/** `background`: sessions that run. `goals`: chats whose sessions pursue a goal. */
export type BackgroundFolder = "background" | "goals";

/** Durable before the session begins, gone when its end was announced. */
export function writeBackground(home: string, file: BackgroundFile, folder: BackgroundFolder = "background"): void {
  writeAtomically(join(home, folder, `${file.id}.json`), JSON.stringify(file));
}

export function removeBackground(home: string, id: string, folder: BackgroundFolder = "background"): void {
  rmSync(join(home, folder, `${id}.json`), { force: true });
}

/** Oldest first. A file that is not readable is skipped. */
export function readBackground(home: string, folder: BackgroundFolder = "background"): readonly BackgroundFile[] {
  return names(join(home, folder))
    .flatMap((name) => {
      try {
        const file: unknown = JSON.parse(readFileSync(join(home, folder, name), "utf8"));
        return isBackground(file) ? [file] : [];
      } catch {
        return [];
      }
    })
    .toSorted((one, other) => one.startedAt - other.startedAt);
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json") && !name.startsWith("."));
  } catch {
    return []; // No session ever ran in the background.
  }
}

function isBackground(file: unknown): file is BackgroundFile {
  return (
    isObject(file) &&
    ["id", "prompt", "surface", "owner"].every((key) => typeof file[key] === "string") &&
    typeof file["startedAt"] === "number"
  );
}
