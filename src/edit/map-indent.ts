import { indentOf, isBlank, widthOf, type Indent } from "./indentation.ts";

/** Steps by which an edit and the file indent. */
export interface IndentStyle {
  readonly indents: readonly Indent[];
  /** Columns of the edit for one tab of the file; `undefined` if the file does not indent with tabs. */
  readonly columnsPerTab: number | undefined;
  /** Spaces of the file for one tab of the edit. */
  readonly spacesPerTab: number;
  /** Columns of the file for one column of the edit. */
  readonly scale: number;
}

export function readStyle(indents: readonly Indent[], edit: readonly string[]): IndentStyle {
  const tabs = indents.some(({ real }) => real.includes("\t"));
  const steps = edit.filter((line) => !isBlank(line)).map((line) => widthOf(indentOf(line)));
  return {
    indents,
    columnsPerTab: tabs
      ? whole(
          ratio(indents, ({ written }) => widthOf(written), tabsOf),
          steps,
        )
      : undefined,
    spacesPerTab: whole(
      ratio(
        indents,
        ({ real }) => widthOf(real),
        ({ written }) => (/^\t*$/.test(written) ? written.length : NaN),
      ),
      indents.map(({ real }) => widthOf(real)),
    ),
    scale: scaleOf(indents),
  };
}

/**
 * The file's indentation for a new line: that of the nearest matched line with the same written indentation, otherwise
 * the closest one, shifted by the difference.
 */
export function mapIndent(written: string, near: number, style: IndentStyle): string {
  const { indents } = style;
  if (indents.every((indent) => indent.written === indent.real)) return written;
  const width = widthOf(written);
  const nearest = (choices: readonly Indent[]): Indent | undefined =>
    choices.toSorted((a, b) => Math.abs(a.at - near) - Math.abs(b.at - near))[0];
  const same = nearest(indents.filter((indent) => indent.written === written));
  if (same !== undefined) return same.real;
  const widths = indents.map((indent) => widthOf(indent.written));
  const below = Math.max(...widths.filter((known) => known < width));
  const base = nearest(indents.filter((_, at) => widths[at] === (below >= 0 ? below : Math.min(...widths))))!;
  return below >= 0 ? deeper(base, written, style) : shallower(base, widthOf(base.written) - width, style);
}

function deeper(base: Indent, written: string, style: IndentStyle): string {
  const extra = written.startsWith(base.written)
    ? written.slice(base.written.length)
    : " ".repeat(widthOf(written) - widthOf(base.written));
  if (style.columnsPerTab !== undefined) {
    if (extra.includes("\t")) return base.real + extra;
    const tabs = Math.floor(extra.length / style.columnsPerTab);
    return `${base.real}${"\t".repeat(tabs)}${" ".repeat(extra.length - tabs * style.columnsPerTab)}`;
  }
  if (extra.includes("\t")) return base.real + extra.replaceAll("\t", " ".repeat(style.spacesPerTab));
  return base.real + " ".repeat(Math.round(extra.length * style.scale));
}

function shallower({ real }: Indent, columns: number, style: IndentStyle): string {
  const less =
    style.columnsPerTab === undefined ? Math.round(columns * style.scale) : Math.floor(columns / style.columnsPerTab);
  return real.slice(0, Math.max(0, real.length - less));
}

/**
 * How much one indentation grows for each step of the other, if all levels agree; a single level is measured from the
 * beginning of the line.
 */
function ratio(
  indents: readonly Indent[],
  over: (indent: Indent) => number,
  under: (indent: Indent) => number,
): number | undefined {
  const known = indents.filter((indent) => !Number.isNaN(under(indent)));
  const levels = [...new Map(known.map((indent) => [under(indent), over(indent)]))].sort(([a], [b]) => a - b);
  if (levels.length === 1) levels.unshift([0, 0]);
  const steps = new Set(levels.slice(1).map(([x, y], at) => (y - levels[at]![1]) / (x - levels[at]![0])));
  const [only] = steps;
  return steps.size === 1 && only! > 0 ? only : undefined;
}

function tabsOf({ written, real }: Indent): number {
  return /^\t*$/.test(real) && /^ *$/.test(written) ? real.length : NaN;
}

function whole(measured: number | undefined, widths: readonly number[]): number {
  return measured !== undefined && Number.isInteger(measured) ? measured : smallestStep(widths);
}

function smallestStep(widths: readonly number[]): number {
  const levels = [...new Set([0, ...widths])].sort((a, b) => a - b);
  const steps = levels.slice(1).map((width, at) => width - levels[at]!);
  return steps.length === 0 ? 4 : Math.min(...steps);
}

/** From two levels on, the factor between the edit's steps and the file's, if all agree; otherwise 1. */
function scaleOf(indents: readonly Indent[]): number {
  const levels = new Set(indents.map(({ written }) => widthOf(written)));
  if (levels.size < 2) return 1;
  return (
    ratio(
      indents,
      ({ real }) => widthOf(real),
      ({ written }) => widthOf(written),
    ) ?? 1
  );
}
