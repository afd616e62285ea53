import { basename, dirname, join } from "node:path/posix";
import type { CommandEffect, TerminalFiles } from "hermes-agent/plugin";

const MAX = 10_000;
const MAX_TARGETS = 8;
/** Represents `*` in a path of an effect. */
const STAR = "\uE010";
const MARK = /[\uE000-\uE01F]/;

/** How much each recursive delete would remove, one line for each target. Stops at a cap or on abort, and says so. */
export async function countDeletes(
  effects: readonly CommandEffect[],
  files: TerminalFiles,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const targets = new Set(
    effects.flatMap((effect) =>
      effect.kind === "delete" && effect.recursive && effect.path !== undefined ? [effect.path] : [],
    ),
  );
  const lines: string[] = [];
  for (const target of [...targets].slice(0, MAX_TARGETS)) {
    const all = target.endsWith(`/${STAR}`);
    const path = all ? dirname(target) : target;
    if (!path.startsWith("/") || MARK.test(path)) continue;
    const shown = all ? join(path, "*") : path;
    const stat = await files.stat(path);
    if (stat === undefined) lines.push(`${shown} does not exist`);
    else if (!all && (await files.resolve(path)) !== join(await files.resolve(dirname(path)), basename(path)))
      lines.push(`${shown} is a link; its target stays`);
    else if (stat.kind !== "directory") lines.push(`${shown} is one file`);
    else lines.push(`${shown} holds ${await words(path, files, signal)}`);
    if (signal.aborted) break;
  }
  return lines;
}

async function words(root: string, files: TerminalFiles, signal: AbortSignal): Promise<string> {
  let found = 0;
  let folders = 0;
  const open = [root];
  while (open.length > 0) {
    const folder = open.pop()!;
    for (const { name, kind } of await files.list(folder).catch(() => [])) {
      if (kind === "directory") {
        folders++;
        open.push(join(folder, name));
      } else found++;
    }
    if (found + folders >= MAX || signal.aborted) return `more than ${number(found)} files`;
  }
  return `${number(found)} ${found === 1 ? "file" : "files"}${folders === 0 ? "" : ` in ${number(folders)} ${folders === 1 ? "folder" : "folders"}`}`;
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}
