import { escapeDrift, findAll, findMatch, fitReplacement, type Span } from "hermes-agent/edit";
import type { Hunk } from "./operation.ts";
import { weave } from "./weave.ts";

export type Applied =
  | { readonly kind: "applied"; readonly text: string }
  | { readonly kind: "refused"; readonly reason: string; readonly missing?: string };

const BEFORE_HINT = 500;
const AFTER_HINT = 2_000;

/** Applies one hunk to a text. Pure, so the same code checks and applies. */
export function applyHunk(text: string, hunk: Hunk): Applied {
  const old = hunk.lines.filter((line) => line.kind !== "add").map((line) => line.text);
  const fresh = hunk.lines.filter((line) => line.kind !== "remove").map((line) => line.text);
  if (old.length === 0) return insert(text, hunk, fresh);
  if (old.length === fresh.length && old.every((line, index) => line === fresh[index])) {
    const there = text.includes(old.join("\n"));
    return there
      ? { kind: "applied", text }
      : { kind: "refused", reason: "its context lines were not found", missing: old.join("\n") };
  }
  return exchange(text, hunk, old, fresh);
}

function exchange(text: string, hunk: Hunk, old: readonly string[], fresh: readonly string[]): Applied {
  const everywhere = exchangeIn(text, hunk, old, fresh);
  if (everywhere.kind === "applied" || everywhere.kind === "refused") return everywhere;
  const places = hunk.hint === undefined ? [] : findAll(text, hunk.hint);
  // A hint precedes the lines that it identifies: if they occur before and after it, use those after it.
  const behind = places.length === 1 ? [behindHint(text, places[0]!)] : [];
  for (const [from, to] of [...places.map((place) => windowAround(text, place)), ...behind]) {
    const near = exchangeIn(text.slice(from, to), hunk, old, fresh);
    if (near.kind === "applied") return { kind: "applied", text: text.slice(0, from) + near.text + text.slice(to) };
  }
  if (everywhere.kind === "ambiguous") {
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
  return { kind: "refused", reason: "not found", missing: old.join("\n") };
}

function exchangeIn(
  text: string,
  hunk: Hunk,
  old: readonly string[],
  fresh: readonly string[],
): Applied | { readonly kind: "missing" } | { readonly kind: "ambiguous"; readonly count: number } {
  // A pure removal also removes its line end; otherwise an empty line would remain.
  const wanted = fresh.length === 0 ? `${old.join("\n")}\n` : old.join("\n");
  const found = findMatch(text, wanted, true);
  if (found === undefined) return { kind: "missing" };
  if (found.spans.length > 1) return { kind: "ambiguous", count: found.spans.length };
  const { start, end } = found.spans[0]!;
  const matched = text.slice(start, end);
  const escape = found.strategy === "exact" ? undefined : escapeDrift(matched, wanted, fresh.join("\n"));
  if (escape !== undefined)
    return {
      kind: "refused",
      reason: `its lines contain ${escape} where the file has a plain quote; write the quote without a backslash`,
    };
  const there = matched.split("\n");
  if (fresh.length > 0 && there.length === old.length)
    return { kind: "applied", text: text.slice(0, start) + weave(there, hunk).join("\n") + text.slice(end) };
  return {
    kind: "applied",
    text: text.slice(0, start) + fitReplacement(found.strategy, matched, wanted, fresh.join("\n")) + text.slice(end),
  };
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

function insert(text: string, hunk: Hunk, fresh: readonly string[]): Applied {
  const added = fresh.join("\n");
  const atEnd = (): Applied => ({
    kind: "applied",
    text: text === "" || text.endsWith("\n") ? `${text}${added}\n` : `${text}\n${added}\n`,
  });
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
  if (lineEnd === -1) return { kind: "applied", text: `${text}\n${added}\n` };
  return { kind: "applied", text: `${text.slice(0, lineEnd + 1)}${added}\n${text.slice(lineEnd + 1)}` };
}
