import { describeNearest } from "hermes-agent/edit";
import { applyHunk } from "./apply-hunk.ts";
import type { Operation } from "./operation.ts";

/** A planned file; `undefined` if it does not exist. */
export type Contents = Map<string, string | undefined>;

export interface Planned {
  readonly operation: Operation;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** How each hunk of an update was found. */
  readonly strategies?: readonly string[];
}

export type Plan =
  | { readonly kind: "planned"; readonly steps: readonly Planned[] }
  | { readonly kind: "refused"; readonly problems: readonly string[]; readonly missing: boolean };

/**
 * Runs a whole patch in memory. Either every step works, or the result lists all problems and nothing is to be done.
 * @param contents Text of every path in the headers, by path; updated with each step.
 * @param fileOf Maps a header path to its file, so that two spellings of one file are one file.
 */
export function planPatch(
  operations: readonly Operation[],
  contents: Contents,
  fileOf: (path: string) => string,
): Plan {
  const problems: string[] = [];
  const steps: Planned[] = [];
  let missing = false;
  for (const operation of operations) {
    const file = fileOf(operation.path);
    const before = contents.get(file);
    switch (operation.kind) {
      case "add":
        contents.set(file, operation.content);
        steps.push({ operation, before, after: operation.content });
        break;
      case "delete":
        if (before === undefined) problems.push(`${operation.path}: the file to delete does not exist`);
        contents.set(file, undefined);
        steps.push({ operation, before, after: undefined });
        break;
      case "move": {
        const target = fileOf(operation.to);
        if (before === undefined) problems.push(`${operation.path}: the file to move does not exist`);
        if (contents.get(target) !== undefined)
          problems.push(`${operation.to}: already exists; a move does not overwrite`);
        contents.set(file, undefined);
        contents.set(target, before);
        steps.push({ operation, before, after: before });
        break;
      }
      case "update": {
        if (before === undefined) {
          problems.push(`${operation.path}: the file to update does not exist`);
          break;
        }
        let text = before;
        const strategies: string[] = [];
        operation.hunks.forEach((hunk, index) => {
          const applied = applyHunk(text, hunk, operation.path);
          if (applied.kind === "applied") {
            text = applied.text;
            strategies.push(applied.strategy);
            return;
          }
          let problem = `${operation.path}: hunk ${index + 1}${hunk.hint === undefined ? "" : ` (${hunk.hint})`}: ${applied.reason}`;
          if (applied.missing !== undefined) {
            missing = true;
            const near = describeNearest(text, applied.missing);
            if (near !== "") problem += `. ${near}`;
          }
          problems.push(problem);
        });
        contents.set(file, text);
        steps.push({ operation, before, after: text, strategies });
      }
    }
  }
  return problems.length > 0 ? { kind: "refused", problems, missing } : { kind: "planned", steps };
}
