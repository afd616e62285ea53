import { applySpans, joinSpans, PIECE, runSteps, type Span, type Steps } from "./spans.ts";
import { wrappedRuns } from "./wrapped-runs.ts";

const MIN_SECRET = 6;
const MASK = "[REDACTED]";
/** Up to here V8's own search is fastest. */
const FEW = 24;

/** Masks exact values, in any of their spellings. */
export interface KnownMask {
  (text: string): string;
  /** As a call of this function, but yields in between. */
  steps(text: string): Steps<string>;
  /** How many characters at the end of a text may be the beginning of a value that has not come whole yet. */
  openEnd(text: string): number;
  /** Whether there are values to mask. */
  readonly any: boolean;
}

/** @param secrets Asked on every call; the tables are made again only when the list changes. */
export function createKnownMask(secrets: () => readonly string[]): KnownMask {
  let known: readonly string[] = [];
  let tables: Tables = NOTHING;
  const now = (): Tables => {
    const list = secrets();
    if (list !== known && (list.length !== known.length || list.some((secret, at) => secret !== known[at])))
      tables = tablesOf(list);
    known = list;
    return tables;
  };
  const steps = (text: string): Steps<string> => maskSteps(now(), text);
  const mask = (text: string): string => {
    if (text.length < MIN_SECRET) return text;
    const found = now();
    return found === NOTHING || found.isFree(text) ? text : runSteps(maskSteps(found, text));
  };
  return Object.defineProperty(
    Object.assign(mask, { steps, openEnd: (text: string) => openEnd(now().needles, text) }),
    "any",
    { get: () => now() !== NOTHING },
  ) as KnownMask;
}

interface Tables {
  /** A short text has none of the needles, and no line breaks in which one could be. */
  isFree(text: string): boolean;
  readonly needles: readonly string[];
  find(text: string, found: Span[]): Steps<void>;
}

const NOTHING: Tables = { needles: [], isFree: () => true, *find() {} };
/** Longer texts are searched in steps. */
const SHORT = 1000;

function tablesOf(secrets: readonly string[]): Tables {
  const needles = [...new Set(secrets.flatMap(forms))].sort((a, b) => b.length - a.length);
  if (needles.length === 0) return NOTHING;
  if (needles.length > FEW) return { needles, isFree: () => false, find: searchMany(needles) };
  const isFree = (text: string): boolean =>
    text.length <= SHORT &&
    !text.includes("\n") &&
    !text.includes("\\n") &&
    !needles.some((needle) => text.includes(needle));
  return { needles, isFree, find: searchFew(needles) };
}

function* maskSteps(tables: Tables, text: string): Steps<string> {
  if (text.length < MIN_SECRET || tables === NOTHING) return text;
  const found: Span[] = [];
  yield* tables.find(text, found);
  // Encoders break their lines, and so a value that is in one.
  for (const run of wrappedRuns(text, tables.needles[0]!.length)) {
    if (run === undefined) {
      yield;
      continue;
    }
    const inner: Span[] = [];
    yield* tables.find(run.text, inner);
    for (const span of inner) found.push(...run.outer(span));
  }
  return yield* applySpans(text, joinSpans(found));
}

function searchFew(needles: readonly string[]): Tables["find"] {
  return function* (text, found) {
    for (const needle of needles) {
      for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length))
        found.push({ start: at, end: at + needle.length, mask: MASK });
      if (text.length > PIECE) yield;
    }
  };
}

function openEnd(needles: readonly string[], text: string): number {
  const longest = needles[0]?.length ?? 0;
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    const end = text.slice(at);
    if (needles.some((needle) => needle.length > end.length && needle.startsWith(end))) return end.length;
  }
  return 0;
}

/** A secret as it may be spelled elsewhere. */
function forms(secret: string): readonly string[] {
  if (secret.length < MIN_SECRET) return [];
  const bytes = Buffer.from(secret, "utf8");
  const out = new Set([
    secret,
    [...secret].toReversed().join(""),
    encodeURIComponent(secret),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
  ]);
  // Text with quotes is escaped in JSON, and once more in JSON inside JSON: a tool's result in a line of the log.
  for (const form of Array.from(out)) out.add(escaped(form)).add(escaped(escaped(form)));
  // In a longer base64 text the secret starts at any of three phases; the letters that depend on neighbours are left
  // out.
  for (let phase = 0; phase < 3; phase++) {
    const padded = Buffer.concat([Buffer.alloc(phase), bytes]);
    const start = phase === 0 ? 0 : phase + 1;
    const whole = Math.floor((padded.length * 8) / 6);
    for (const encoding of ["base64", "base64url"] as const) {
      const piece = padded.toString(encoding).slice(start, whole);
      if (piece.length >= 8) out.add(piece);
    }
  }
  return [...out];
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Needles that begin alike: what they share, and how they go on. */
interface Branch {
  readonly shared: string;
  readonly ends: boolean;
  readonly next: ReadonlyMap<string, Branch>;
}

/** One pass over the text for all needles: almost nothing passes the two bitmaps of beginnings by chance. */
function searchMany(needles: readonly string[]): Tables["find"] {
  const pairs = new Uint8Array(65536);
  const quads = new Uint8Array(65521);
  for (const needle of needles) {
    pairs[pair(needle, 0)] = 1;
    quads[quad(needle, 0)] = 1;
  }
  const tree = branch(needles);
  return function* (text, found) {
    const last = text.length - MIN_SECRET;
    for (let from = 0; from <= last;) {
      const until = Math.min(last, from + PIECE);
      let i = from;
      for (; i <= until; i++) {
        if (pairs[pair(text, i)] === 0 || quads[quad(text, i)] === 0) continue;
        const end = longest(tree, text, i);
        if (end === undefined) continue;
        found.push({ start: i, end, mask: MASK });
        i = end - 1;
      }
      from = i;
      if (from <= last) yield;
    }
  };
}

function branch(needles: readonly string[]): Branch {
  const shared = needles.reduce(commonStart);
  const groups = Map.groupBy(
    needles.filter((needle) => needle.length > shared.length),
    (needle) => needle[shared.length]!,
  );
  return {
    shared,
    ends: needles.includes(shared),
    next: new Map(
      [...groups].map(([char, group]) => [char, branch(group.map((needle) => needle.slice(shared.length)))]),
    ),
  };
}

function commonStart(a: string, b: string): string {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return a.slice(0, same);
}

/** Where the longest needle that begins at `from` ends. */
function longest(tree: Branch, text: string, from: number): number | undefined {
  let found: number | undefined;
  let at = from;
  for (
    let node: Branch | undefined = tree;
    node !== undefined && text.startsWith(node.shared, at);
    node = node.next.get(text[at] ?? "")
  ) {
    at += node.shared.length;
    if (node.ends) found = at;
  }
  return found;
}

const pair = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);
const quad = (text: string, at: number): number => (((pair(text, at) << 16) | pair(text, at + 2)) >>> 0) % 65521;
