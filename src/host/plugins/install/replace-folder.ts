import { cpSync, existsSync, renameSync, rmSync } from "node:fs";

/** Puts `from` where `to` is, whatever lies there; what lay there is back when it does not work. */
export function replaceFolder(from: string, to: string): void {
  const aside = `${to}.before-${process.pid}`;
  const there = existsSync(to);
  if (there) renameSync(to, aside);
  try {
    try {
      renameSync(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
      cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    }
  } catch (error) {
    rmSync(to, { recursive: true, force: true });
    if (there) renameSync(aside, to);
    throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}
