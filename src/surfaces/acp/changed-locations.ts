import { resolve } from "node:path";
import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";

export interface ChangedPlace {
  readonly diff: Extract<ToolCallContent, { readonly type: "diff" }>;
  /** First changed line in the current file. */
  readonly line: number;
}

interface OpenPlace {
  readonly path: string;
  readonly created: boolean;
  readonly line: number;
  readonly before: string[];
  readonly after: string[];
}

const HEAD = /^--- ([^\t\n]+)[^\n]*\n\+\+\+ ([^\t\n]+)/;
const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const NONE = "/dev/null";

/**
 * Every changed place of a unified diff, with its text before and after, as editors show changes.
 * @param named The absolute path that the call names: a diff omits the first slash.
 */
export function changedPlaces(unified: string, cwd: string, named?: string): readonly ChangedPlace[] {
  const lines = unified.split("\n");
  const places: OpenPlace[] = [];
  let file: Pick<OpenPlace, "path" | "created"> | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const head = HEAD.exec(`${line}\n${lines[at + 1] ?? ""}`);
    const hunk = HUNK.exec(line);
    if (head !== null) {
      file = { path: pathIn(head[2] === NONE ? head[1]! : head[2]!, cwd, named), created: head[1] === NONE };
      at++; // The second line of the header.
    } else if (hunk !== null && file !== undefined)
      places.push({ ...file, line: Number(hunk[1]), before: [], after: [] });
    else addLine(places.at(-1), line);
  }
  return places.map(({ path, created, line, before, after }) => ({
    diff: { type: "diff", path, oldText: created ? null : before.join("\n"), newText: after.join("\n") },
    line,
  }));
}

function addLine(place: OpenPlace | undefined, line: string): void {
  if (/^[ -]/.test(line)) place?.before.push(line.slice(1));
  if (/^[ +]/.test(line)) place?.after.push(line.slice(1));
}

/** `b/src/x.ts` is `src/x.ts` in the session's folder. */
function pathIn(name: string, cwd: string, named: string | undefined): string {
  const path = name.replace(/^[ab]\//, "");
  if (named?.endsWith(`/${path}`) === true) return named;
  return `/${path}`.startsWith(`${cwd}/`) ? `/${path}` : resolve(cwd, path);
}
