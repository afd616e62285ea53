import {
  bringsGutter,
  describeFault,
  findAll,
  fitReplacement,
  lineChanges,
  locate,
  type EditFault,
  type LineChange,
  type Span,
} from "hermes-agent/edit";
import type { Hunk } from "./operation.ts";

export type Applied =
  | { readonly kind: "applied"; readonly text: string; readonly strategy: string }
  | { readonly kind: "refused"; readonly reason: string; readonly missing?: string };

const BEFORE_HINT = 500;
const AFTER_HINT = 2_000;

/**
 * Applies one hunk to a text. Pure, so the same code checks and applies.
 * @param path In some languages, the indentation of lines has a meaning.
 */
export function applyHunk(text: string, hunk: Hunk, path: string): Applied {
  const old = hunk.lines.filter((line) => line.kind !== "add").map((line) => line.text);
  const fresh = hunk.lines.filter((line) => line.kind !== "remove").map((line) => line.text);
  if (old.length === 0) return insert(text, hunk, fresh, path);
  if (old.length === fresh.length && old.every((line, index) => line === fresh[index])) {
    const there = text.includes(old.join("\n"));
    return there
      ? { kind: "applied", text, strategy: "exact" }
      : { kind: "refused", reason: "its context lines were not found", missing: old.join("\n") };
  }
  return exchange(text, hunk, { old, fresh, path });
}

interface Exchange {
  readonly old: readonly string[];
  readonly fresh: readonly string[];
  readonly path: string;
}

function exchange(text: string, hunk: Hunk, edit: Exchange): Applied {
  const everywhere = exchangeIn(text, hunk, edit);
  if (everywhere.kind === "applied") return everywhere;
  const places = hunk.hint === undefined ? [] : findAll(text, hunk.hint);
  // A hint precedes the lines that it identifies: if they occur before and after it, use those after it.
  const behind = places.length === 1 ? [behindHint(text, places[0]!)] : [];
  for (const [from, to] of [...places.map((place) => windowAround(text, place)), ...behind]) {
    const near = exchangeIn(text.slice(from, to), hunk, edit);
    if (near.kind === "applied") return { ...near, text: text.slice(0, from) + near.text + text.slice(to) };
  }
  if (everywhere.kind === "missing") return { kind: "refused", reason: "not found", missing: edit.old.join("\n") };
  if (everywhere.kind !== "ambiguous") {
    const { message, hint } = describeFault(everywhere, text, edit.old.join("\n"), edit.path);
    return { kind: "refused", reason: `${message} ${hint}` };
  }
  const advice =
    hunk.hint === undefined
      ? "add context lines or an '@@ hint @@' to identify one"
      : places.length === 0
        ? "and its hint was not found; add context lines"
        : "and its hint does not identify one; add context lines";
  return {
    kind: "refused",
    reason: `its lines occur ${everywhere.count} times${hunk.hint === undefined ? ";" : ","} ${advice}`,
  };
}

function exchangeIn(
  text: string,
  hunk: Hunk,
  { old, fresh, path }: Exchange,
): Extract<Applied, { kind: "applied" }> | EditFault | { readonly kind: "ambiguous"; readonly count: number } {
  // A pure removal also removes its line end; otherwise an empty line would remain.
  const wanted = fresh.length === 0 ? `${old.join("\n")}\n` : old.join("\n");
  const located = locate(text, wanted, fresh.join("\n"), { wholeLines: true, path });
  if (located.kind !== "located") return located;
  const { spans, strategy } = located;
  if (spans.length > 1) return { kind: "ambiguous", count: spans.length };
  // Lines that were written with escapes are not those of the hunk.
  const sameLines =
    located.wanted.split("\n").length === wanted.split("\n").length &&
    located.fresh.split("\n").length === fresh.length;
  const {
    start,
    end,
    text: piece,
  } = fitReplacement(text, located, spans[0]!, located.fresh, sameLines ? changesOf(hunk) : undefined);
  return { kind: "applied", text: text.slice(0, start) + piece + text.slice(end), strategy };
}

/**
 * How the new lines follow from the old ones, as the hunk's signs say it. A line that is removed and added again is
 * kept.
 */
function changesOf(hunk: Hunk): readonly LineChange[] {
  const changes: LineChange[] = [];
  const [removed, added]: [string[], string[]] = [[], []];
  let [old, fresh] = [0, 0];
  const close = (): void => {
    const [fromOld, fromFresh] = [old - removed.length, fresh - added.length];
    for (const change of lineChanges(removed, added)) {
      if (change.kind === "add") changes.push({ kind: "add", fresh: fromFresh + change.fresh });
      else if (change.kind === "remove") changes.push({ kind: "remove", old: fromOld + change.old });
      else changes.push({ kind: "keep", old: fromOld + change.old, fresh: fromFresh + change.fresh });
    }
    removed.length = 0;
    added.length = 0;
  };
  for (const { kind, text } of hunk.lines) {
    if (kind === "context") {
      close();
      changes.push({ kind: "keep", old, fresh });
    } else (kind === "remove" ? removed : added).push(text);
    if (kind !== "add") old++;
    if (kind !== "remove") fresh++;
  }
  close();
  return changes;
}

/** Whole lines around a hint, so that no line is split. */
function windowAround(text: string, hint: Span): [number, number] {
  const from = text.lastIndexOf("\n", Math.max(0, hint.start - BEFORE_HINT)) + 1;
  const to = text.indexOf("\n", Math.min(text.length, hint.end + AFTER_HINT));
  return [Math.min(from, hint.start), to === -1 ? text.length : to + 1];
}

/** From the line of a hint to the end of its surroundings. */
function behindHint(text: string, hint: Span): [number, number] {
  return [text.lastIndexOf("\n", hint.start - 1) + 1, windowAround(text, hint)[1]];
}

function insert(text: string, hunk: Hunk, fresh: readonly string[], path: string): Applied {
  const added = fresh.join("\n");
  const applied = (result: string): Applied => ({ kind: "applied", text: result, strategy: "exact" });
  const atEnd = (): Applied =>
    applied(text === "" || text.endsWith("\n") ? `${text}${added}\n` : `${text}\n${added}\n`);
  if (bringsGutter(text, "", text.length, added)) {
    const { message, hint } = describeFault({ kind: "gutter" }, text, "", path);
    return { kind: "refused", reason: `${message} ${hint}` };
  }
  if (hunk.hint === undefined) return atEnd();
  const places = findAll(text, hunk.hint);
  if (places.length !== 1) {
    if (!hunk.firm && places.length === 0) return atEnd();
    return {
      kind: "refused",
      reason:
        places.length === 0
          ? `the hint '${hunk.hint}' of a hunk that only adds was not found`
          : `the hint '${hunk.hint}' of a hunk that only adds occurs ${places.length} times`,
    };
  }
  const lineEnd = text.indexOf("\n", places[0]!.end);
  if (lineEnd === -1) return applied(`${text}\n${added}\n`);
  return applied(`${text.slice(0, lineEnd + 1)}${added}\n${text.slice(lineEnd + 1)}`);
}
