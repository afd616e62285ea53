import { join } from "node:path";
import type { ScopePlan } from "../checkpoint-service.ts";
import type { SavedEntry } from "../entry.ts";

const LARGEST = 500_000;

/** The changes that plans would make, as unified diffs; one line for content that is large or not text. */
export async function diffOf(
  plans: readonly ScopePlan[],
  content: (hash: string) => Uint8Array | undefined,
): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const pieces = plans.flatMap(({ scope, steps }) =>
    steps.map((step) => {
      const path = join(scope.root, step.path);
      if (step.kind !== "restore") return `# ${path} stays: ${step.why}\n`;
      const now = textOf(step.from, content);
      const then = textOf(step.to, content);
      if (now === undefined || then === undefined) return `# ${path}: ${describe(step.from)} → ${describe(step.to)}\n`;
      return (
        createTwoFilesPatch(
          step.from === undefined ? "/dev/null" : path,
          step.to === undefined ? "/dev/null" : path,
          now,
          then,
          "now",
          "then",
          { context: 3, maxEditLength: 1_500, headerOptions: FILE_HEADERS_ONLY },
        ) ?? `# ${path} is rewritten\n`
      );
    }),
  );
  return pieces.join("");
}

/** "" for a path that does not exist; `undefined` for content that cannot be shown as text. */
function textOf(entry: SavedEntry | undefined, content: (hash: string) => Uint8Array | undefined): string | undefined {
  if (entry === undefined) return "";
  if (entry.kind !== "file" || entry.content === undefined || entry.bytes > LARGEST) return undefined;
  const bytes = content(entry.content);
  return bytes === undefined || bytes.includes(0) ? undefined : Buffer.from(bytes).toString("utf8");
}

function describe(entry: SavedEntry | undefined): string {
  if (entry === undefined) return "absent";
  return entry.kind === "file"
    ? `file of ${entry.bytes} bytes`
    : entry.kind === "link"
      ? `link to ${entry.content ?? "?"}`
      : entry.kind;
}
