import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../config/write-atomically.ts";
import type { Home } from "../environment/home.ts";
import { toIso } from "./zoned-time.ts";

/** The outputs of jobs: `cron/output/JOB/2026-11-23_09-00-00.md`. */
export function openOutputs(home: Home) {
  const folderOf = (jobId: string): string => home.file("cron", "output", jobId);
  const filesOf = (jobId: string): readonly string[] => {
    try {
      return readdirSync(folderOf(jobId))
        .filter((name) => name.endsWith(".md"))
        .sort();
    } catch {
      return []; // It never ran.
    }
  };
  return {
    /** @param keep The newest so many stay; 0 keeps all. */
    save(jobId: string, at: number, zone: string, document: string, keep: number): string {
      const folder = home.folder("cron", "output", jobId);
      const stamp = toIso(at, zone).slice(0, 19).replace("T", "_").replaceAll(":", "-");
      let file = join(folder, `${stamp}.md`);
      for (let more = 2; existsSync(file); more++) file = join(folder, `${stamp}_${more}.md`);
      writeAtomically(file, document);
      if (keep > 0) for (const name of filesOf(jobId).slice(0, -keep)) rmSync(join(folder, name), { force: true });
      return file;
    },
    newest(jobId: string): string | undefined {
      const name = filesOf(jobId).at(-1);
      return name === undefined ? undefined : readFileSync(join(folderOf(jobId), name), "utf8");
    },
    remove(jobId: string): void {
      rmSync(folderOf(jobId), { recursive: true, force: true });
    },
  };
}

export type Outputs = ReturnType<typeof openOutputs>;
