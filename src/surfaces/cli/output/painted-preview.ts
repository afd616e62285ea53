import type { PreviewLine } from "../../shared/display/preview-line.ts";
import { width } from "../../shared/display/width.ts";
import { wrap } from "../../shared/display/wrap.ts";

type Paint = (text: string) => string;

/** How the lines below a call look. */
export interface PreviewPaint {
  readonly dim: Paint;
  readonly good: Paint;
  readonly bad: Paint;
  readonly accent: Paint;
  /** The coloured lines of code; `undefined` for a language that has no colours yet. */
  readonly highlight: (code: string, language: string) => readonly string[] | undefined;
  /** Gives a whole row the background of what was added or removed; `undefined` where the terminal has no such colour. */
  readonly row: (kind: "added" | "removed", row: string) => string | undefined;
}

/**
 * The lines below a call with their colours. Code of a diff or file is coloured as one text, so that a comment over
 * several lines is one. Sentences wrap at `columns`; the caller cuts other lines.
 */
export function paintedPreview(lines: readonly PreviewLine[], columns: number, paint: PreviewPaint): readonly string[] {
  const code = colouredCode(lines, paint);
  return lines.flatMap((line) => {
    if (line.wraps === true) return wrapped(line, columns).map((text) => painted(line.kind, text, paint));
    if (line.code !== undefined) return codeRow(line, code.get(line), columns, paint);
    if (line.found !== undefined && line.found.length > 0) return foundRow(line.text, line.found, paint);
    return painted(line.kind, line.text.replaceAll("\t", "    "), paint);
  });
}

function painted(kind: PreviewLine["kind"], text: string, { good, bad, accent, dim }: PreviewPaint): string {
  return { added: good, removed: bad, current: accent, done: dim, plain: dim }[kind](text);
}

/** A mark such as `☐` stands alone at the left. */
function wrapped({ text }: PreviewLine, columns: number): readonly string[] {
  const [mark = ""] = /^[☐◐☑☒→] /.exec(text) ?? [];
  const lines = text
    .slice(mark.length)
    .split("\n")
    .flatMap((line) => wrap(line, Math.max(8, columns - mark.length)));
  return lines.map((line, at) => `${at === 0 ? mark : " ".repeat(mark.length)}${line}`);
}

/** The new text of a file, with its unchanged lines, is one piece of code; the old one is another. */
function colouredCode(lines: readonly PreviewLine[], { highlight }: PreviewPaint): ReadonlyMap<PreviewLine, string> {
  const coloured = new Map<PreviewLine, string>();
  const languages = new Set(lines.flatMap(({ code }) => (code === undefined ? [] : code.language)));
  for (const language of languages)
    for (const other of ["added", "removed"] as const) {
      const side = lines.filter(({ code, kind }) => code?.language === language && kind !== other);
      const texts = highlight(side.map(codeOf).join("\n"), language);
      if (texts?.length === side.length) for (const [at, line] of side.entries()) coloured.set(line, texts[at]!);
    }
  return coloured;
}

function codeOf({ text, code }: PreviewLine): string {
  return text.slice(code?.at ?? 0).replaceAll("\t", "    ");
}

/** Without a background, the text itself shows what was added and removed. */
function codeRow(line: PreviewLine, coloured: string | undefined, columns: number, paint: PreviewPaint): string {
  const { kind, text, code } = line;
  const before = text.slice(0, code?.at ?? 0).padEnd(code?.at ?? 0);
  if (kind !== "added" && kind !== "removed") return `${paint.dim(before)}${coloured ?? paint.dim(codeOf(line))}`;
  const row = `${painted(kind, before, paint)}${coloured ?? codeOf(line)}`;
  return (
    paint.row(kind, `${row}${" ".repeat(Math.max(0, columns - width(row)))}`) ??
    painted(kind, `${before}${codeOf(line)}`, paint)
  );
}

function foundRow(text: string, found: readonly (readonly [number, number])[], { dim, accent }: PreviewPaint): string {
  let at = 0;
  let row = "";
  for (const [start, end] of found) {
    row += dim(text.slice(at, start)) + accent(text.slice(start, end));
    at = end;
  }
  return (row + dim(text.slice(at))).replaceAll("\t", "    ");
}
