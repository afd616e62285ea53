import { isMap, isPair, isScalar, isSeq, parseDocument, stringify, type Pair, type YAMLMap, type YAMLSeq } from "yaml";

/** A change of one key or list in the text of a YAML file. */
export type TextEdit =
  | { readonly kind: "set"; readonly keys: readonly string[]; readonly value: unknown }
  | { readonly kind: "unset"; readonly keys: readonly string[] }
  | {
      readonly kind: "list";
      readonly keys: readonly string[];
      readonly add: readonly unknown[];
      /** Indexes of the items to remove. */
      readonly remove: readonly number[];
    };

/**
 * The text with only the lines of that key changed: every other line, comment and indentation stays byte for byte.
 * `undefined` if the change cannot be made this way. The caller compares what the text means afterwards.
 */
export function editYamlText(text: string, edit: TextEdit): string | undefined {
  const document = parseDocument(text, { merge: true, intAsBigInt: true });
  if (document.errors.length > 0) return undefined;
  const yaml: Yaml = { text, newline: text.includes("\r\n") ? "\r\n" : "\n", ...styleOf(text, document.contents) };
  if (edit.kind === "list") return editList(yaml, document.getIn(edit.keys, true), edit);
  const parent = edit.keys.length === 1 ? document.contents : document.getIn(edit.keys.slice(0, -1), true);
  const key = edit.keys.at(-1)!;
  if (edit.kind === "set" && parent === null && edit.keys.length === 1)
    return appended(yaml, pairText(yaml, key, edit.value, 0));
  if (!isMap(parent)) return undefined;
  const pair = parent.items.find((one) => nameOf(one.key) === key);
  if (edit.kind === "unset") return pair === undefined ? text : withoutPair(yaml, parent, pair);
  return pair === undefined ? withPair(yaml, parent, key, edit.value) : withValue(yaml, parent, pair, key, edit.value);
}

interface Yaml {
  readonly text: string;
  readonly newline: string;
  /** Columns by which nested maps of this file are indented. */
  readonly step: number;
  /** Whether its lists are indented below their key. */
  readonly indentSeq: boolean;
}

type Range = readonly [start: number, end: number];

/** The style of the first nested map and the first nested list. */
function styleOf(text: string, contents: unknown): Pick<Yaml, "step" | "indentSeq"> {
  let step: number | undefined;
  let indentSeq: boolean | undefined;
  const columnOf = (offset: number): number => offset - lineStart(text, offset);
  const visit = (node: unknown): void => {
    if (!isMap(node) || node.flow === true) return;
    for (const { key, value } of node.items) {
      const start = rangeIn(key)?.[0];
      const inner = (isMap(value) || isSeq(value)) && value.flow !== true ? rangeIn(value)?.[0] : undefined;
      if (start === undefined || inner === undefined) continue;
      if (isSeq(value)) indentSeq ??= columnOf(inner) > columnOf(start);
      else step ??= columnOf(inner) - columnOf(start);
      visit(value);
    }
  };
  visit(contents);
  return { step: step === undefined || step < 1 || step > 8 ? 2 : step, indentSeq: indentSeq ?? true };
}

function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

/** Where a key with its value begins and ends, without what follows on its last line. */
function rangeOf(text: string, { key, value }: Pair): Range | undefined {
  const start = rangeIn(key);
  if (start === undefined) return undefined;
  const end = endOf(text, value);
  const colon = text.indexOf(":", start[1]) + 1;
  // The place of an empty value may be behind a comment.
  return [start[0], end === undefined || isEmpty(value) ? Math.max(start[1], colon) : end];
}

/** Nothing is written for the value. */
function isEmpty(value: unknown): boolean {
  const range = rangeIn(value);
  return value === null || (isScalar(value) && range !== undefined && range[0] === range[1]);
}

function rangeIn(node: unknown): Range | undefined {
  const range = (node as { readonly range?: readonly [number, number, number] | null } | null)?.range;
  return range ? [range[0], range[1]] : undefined;
}

/** The end of a node without the comments and blank lines behind it, which a block collection includes. */
function endOf(text: string, node: unknown): number | undefined {
  if (isPair(node)) return rangeOf(text, node)?.[1];
  if ((isMap(node) || isSeq(node)) && node.flow !== true && node.items.length > 0)
    return endOf(text, node.items.at(-1));
  return rangeIn(node)?.[1];
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** The beginning of the line after `offset`, or the end of the text. A block scalar ends with its line. */
function lineEnd({ text }: Yaml, offset: number): number {
  if (offset > 0 && text[offset - 1] === "\n") return offset;
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}

function replaced({ text }: Yaml, [start, end]: Range, by: string): string {
  return `${text.slice(0, start)}${by}${text.slice(end)}`;
}

/** Lines behind the text, before the end mark of the document if it has one. */
function appended({ text, newline }: Yaml, lines: string): string | undefined {
  if (/^(\.\.\.|---)/m.test(text)) return undefined;
  return `${text}${text === "" || text.endsWith("\n") ? "" : newline}${lines}${newline}`;
}

/** `key: value` with every line but the first indented by `column`. */
function pairText(yaml: Yaml, key: string, value: unknown, column: number): string {
  return indented(yaml, { [key]: value }, column);
}

function indented({ newline, step, indentSeq }: Yaml, value: unknown, column: number, blockQuote = true): string {
  return stringify(value, { indent: step, indentSeq, lineWidth: 0, blockQuote })
    .trimEnd()
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : `${" ".repeat(column)}${line}`))
    .join(newline);
}

/** A value on one line, for flow collections. */
function flowText(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false }).trim();
}

function withoutPair(yaml: Yaml, map: YAMLMap, pair: Pair): string | undefined {
  const ranges = map.items.map((one) => rangeOf(yaml.text, one));
  return withoutItem(yaml, map.flow === true, ranges, map.items.indexOf(pair), "");
}

/** @param mark What stands before an item on its line, besides spaces: `-` for lists. */
function withoutItem(
  yaml: Yaml,
  flow: boolean,
  ranges: readonly (Range | undefined)[],
  index: number,
  mark: "" | "-",
): string | undefined {
  const range = ranges[index];
  if (range === undefined) return undefined;
  const [before, after] = [ranges[index - 1], ranges[index + 1]];
  if (flow) {
    const cut: Range =
      after !== undefined ? [range[0], after[0]] : before !== undefined ? [before[1], range[1]] : range;
    return yaml.text.slice(...cut).includes("#") ? undefined : replaced(yaml, cut, "");
  }
  const start = lineStart(yaml.text, range[0]);
  if (yaml.text.slice(start, range[0]).trim() === mark) return replaced(yaml, [start, lineEnd(yaml, range[1])], "");
  // The first key of a map in a list, behind the dash: the next key takes its place.
  return after === undefined || yaml.text.slice(range[1], after[0]).trim() !== ""
    ? undefined
    : replaced(yaml, [range[0], after[0]], "");
}

function withPair(yaml: Yaml, map: YAMLMap, key: string, value: unknown): string | undefined {
  const last = map.items.at(-1);
  if (map.flow === true || last === undefined) return withFlowItem(yaml, map, flowText({ [key]: value }).slice(1, -1));
  const first = rangeOf(yaml.text, map.items[0]!);
  const end = endOf(yaml.text, last);
  if (first === undefined || end === undefined) return undefined;
  const column = first[0] - lineStart(yaml.text, first[0]);
  return withLine(yaml, end, `${" ".repeat(column)}${pairText(yaml, key, value, column)}`);
}

function withFlowItem(yaml: Yaml, collection: YAMLMap | YAMLSeq, item: string): string | undefined {
  const range = rangeIn(collection);
  if (range === undefined || collection.flow !== true) return undefined;
  const end = collection.items.length === 0 ? range[0] + 1 : endOf(yaml.text, collection.items.at(-1));
  return end === undefined ? undefined : replaced(yaml, [end, end], collection.items.length === 0 ? item : `, ${item}`);
}

/** A new line behind the line on which `end` is. */
function withLine(yaml: Yaml, end: number, line: string): string {
  const at = lineEnd(yaml, end);
  const unfinished = at === yaml.text.length && !yaml.text.endsWith("\n");
  return replaced(yaml, [at, at], unfinished ? `${yaml.newline}${line}` : `${line}${yaml.newline}`);
}

function withValue(yaml: Yaml, map: YAMLMap, pair: Pair, key: string, value: unknown): string | undefined {
  const range = rangeOf(yaml.text, pair);
  if (range === undefined) return undefined;
  const old: Range | undefined = isEmpty(pair.value) ? [range[1], range[1]] : rangeIn(pair.value);
  if (isScalar(pair.value) && old !== undefined && (typeof value !== "object" || value === null)) {
    const { type } = pair.value;
    const quotes = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE" ? type : "PLAIN";
    const source = stringify(value, { defaultStringType: quotes, lineWidth: 0 }).trimEnd();
    if (!source.includes("\n")) {
      const blank = old[0] === old[1] && !/\s/.test(yaml.text[old[0] - 1] ?? "") ? " " : "";
      const ends = yaml.text[old[1] - 1] === "\n" ? yaml.newline : "";
      return replaced(yaml, old, `${blank}${source}${ends}`);
    }
  }
  if (map.flow === true) return replaced(yaml, range, flowText({ [key]: value }).slice(1, -1));
  if ((isMap(pair.value) || isSeq(pair.value)) && pair.value.flow === true && old !== undefined)
    return replaced(yaml, old, flowText(value));
  if (isSeq(pair.value) && Array.isArray(value) && value.length > 0 && old !== undefined) {
    // The dashes stay in their column.
    const column = old[0] - lineStart(yaml.text, old[0]);
    const items = value.map((item) => `- ${indented(yaml, item, column + 2, false)}`);
    return replaced(yaml, [old[0], range[1]], items.join(`${yaml.newline}${" ".repeat(column)}`));
  }
  const column = range[0] - lineStart(yaml.text, range[0]);
  // A comment behind the value would become part of a block scalar, and so would spaces.
  const end = lineEnd(yaml, range[1]);
  if (yaml.text.slice(range[1], end).trim() !== "")
    return replaced(yaml, range, indented(yaml, { [key]: value }, column, false));
  return replaced(yaml, [range[0], end], `${pairText(yaml, key, value, column)}${yaml.newline}`);
}

function editList(yaml: Yaml, list: unknown, edit: Extract<TextEdit, { kind: "list" }>): string | undefined {
  if (!isSeq(list) || edit.remove.length === list.items.length) return undefined;
  const ranges = list.items.map((item): Range | undefined => {
    const range = rangeIn(item);
    return range === undefined ? undefined : [range[0], endOf(yaml.text, item) ?? range[1]];
  });
  // Behind the last item first, then from the end, so that the earlier ranges stay right.
  let text: string | undefined = yaml.text;
  const last = ranges.at(-1);
  if (last === undefined) return undefined;
  for (const item of edit.add.toReversed()) {
    if (text === undefined) return undefined;
    const now = { ...yaml, text };
    if (list.flow === true) text = replaced(now, [last[1], last[1]], `, ${flowText(item)}`);
    else {
      const start = lineStart(yaml.text, last[0]);
      const dash = yaml.text.slice(start, last[0]).indexOf("-");
      if (dash < 0) return undefined;
      text = withLine(now, last[1], `${" ".repeat(dash)}- ${indented(now, item, dash + 2)}`);
    }
  }
  for (const index of edit.remove.toSorted((a, b) => b - a)) {
    if (text === undefined) return undefined;
    text = withoutItem({ ...yaml, text }, list.flow === true, ranges, index, "-");
  }
  return text;
}
