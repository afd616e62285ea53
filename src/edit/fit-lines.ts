import { indentOf, isBlank, isFirstStripped, isFlat, readIndents, widthOf, type Indent } from "./indentation.ts";
import type { LineChange } from "./line-changes.ts";
import { mapIndent, readStyle } from "./map-indent.ts";

/** A matched place line by line: what the file has there, what the edit wrote, and what changes. */
export interface Fitting {
  /** The matched lines of the file, as many as `old` has. */
  readonly there: readonly string[];
  readonly old: readonly string[];
  readonly fresh: readonly string[];
  readonly changes: readonly LineChange[];
  /** The match begins inside a line, so the first line shows no indentation. */
  readonly partial: boolean;
  /** Writes a changed line with the file's characters; `at` is the old line that it replaces. */
  readonly adapt: (text: string, at: number | undefined) => string;
}

/**
 * The new lines as the file needs them: a line that the edit does not change keeps the file's bytes, and a changed or
 * added line gets the indentation that the matched lines show.
 */
export function fitLines(fitting: Fitting): string[] {
  const { there, old, fresh, changes, partial, adapt } = fitting;
  const indents = readIndents(old, there).filter(({ at }) => !(partial && at === 0));
  const first = indents[0]?.at === 0 ? indents[0] : undefined;
  const known = knownIndents(indents, first, fresh);
  // The first line then lost its indentation, and the others did not.
  const firstAlone = first !== undefined && !known.includes(first);
  const style = readStyle(known, [...old, ...fresh]);

  let near = 0;
  const replaced = replacedLines(changes);
  return changes.flatMap((change) => {
    if (change.kind !== "add") near = change.old;
    if (change.kind === "remove") return [];
    const line = fresh[change.fresh]!;
    if (change.kind === "keep" && line === old[change.old]) return [there[change.old]!];
    if (isBlank(line)) return [line];
    const from = change.kind === "keep" ? change.old : replaced.get(change.fresh);
    const indent = newIndent(indentOf(line), change.fresh);
    if (change.kind === "keep") return [indent + keptText(line, old[change.old]!, there[change.old]!, adapt, from)];
    return [indent + adapt(line.trimStart(), from)];
  });

  function newIndent(written: string, at: number): string {
    if (at === 0 && partial) return written;
    return at === 0 && firstAlone ? first.real + written : mapIndent(written, near, style);
  }
}

/** The matched lines that show where the new lines belong. */
function knownIndents(
  indents: readonly Indent[],
  first: Indent | undefined,
  fresh: readonly string[],
): readonly Indent[] {
  const others = indents.slice(1);
  const fit = others.every(({ written, real }) => written === real);
  if (isFirstStripped(indents) && (fit || !isFlat(indents))) return others;
  const nested = new Set(fresh.filter((line) => !isBlank(line)).map((line) => widthOf(indentOf(line)))).size > 1;
  // Only the old text was written flat: the new one shows its own nesting.
  if (isFlat(indents)) return nested ? indents.slice(0, 1) : indents;
  const alone = first !== undefined && indents.length === 1 && first.written === "" && first.real !== "";
  return alone && fitsAlready(first, fresh) ? [] : indents;
}

/** The text of a line whose indentation, trailing blanks or characters the edit changes. */
function keptText(line: string, old: string, there: string, adapt: Fitting["adapt"], from: number | undefined): string {
  const text = line.trim() === old.trim() ? there.trim() : adapt(line.trim(), from);
  const trailing = (whole: string): string => whole.slice(whole.trimEnd().length);
  return text + (trailing(line) === trailing(old) ? trailing(there) : trailing(line));
}

/** Which old line each added line replaces: of lines removed and added together, the first replaces the first. */
function replacedLines(changes: readonly LineChange[]): ReadonlyMap<number, number> {
  const replaced = new Map<number, number>();
  let removed: number[] = [];
  let added: number[] = [];
  const close = (): void => {
    added.forEach((fresh, index) => {
      const old = removed[index];
      if (old !== undefined) replaced.set(fresh, old);
    });
    removed = [];
    added = [];
  };
  for (const change of changes) {
    if (change.kind === "keep") close();
    else if (change.kind === "remove") removed.push(change.old);
    else added.push(change.fresh);
  }
  close();
  return replaced;
}

const OPENS_BLOCK = /(?:[:{([,]|=>|\b(?:do|then|else|begin))\s*$/;

/**
 * Whether the lines after a first line without its indentation are where they belong in the file already.
 */
function fitsAlready(first: Indent, fresh: readonly string[]): boolean {
  const widths = fresh
    .slice(1)
    .filter((line) => !isBlank(line))
    .map((line) => widthOf(indentOf(line)));
  if (widths.length === 0) return true;
  const least = Math.min(...widths);
  return OPENS_BLOCK.test(fresh[0]!) ? widths[0]! > widthOf(first.real) : least >= widthOf(first.real);
}
