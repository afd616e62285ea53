import { readFileSync } from "node:fs";
import type { Document, YAMLMap } from "yaml";
import { UserError } from "../../contract/common/failure.ts";
import type { Json } from "../../contract/common/json.ts";
import { exactIntegers } from "../../contract/common/parse-exact.ts";
import { checkSettings } from "./check-settings.ts";
import { withFileLock } from "./file-lock.ts";
import type { Home } from "../environment/home.ts";
import { canonicalKey, splitPath, type Setting } from "./setting.ts";
import { writeAtomically } from "./write-atomically.ts";
import { yamlMistakes } from "./yaml-mistakes.ts";

export type SettingsEdit =
  | { readonly kind: "set"; readonly path: string; readonly value: Json }
  | { readonly kind: "unset"; readonly path: string }
  /** Adds to a list what is not in it yet, takes out what is; both lists of one edit are done together. */
  | {
      readonly kind: "list";
      readonly path: string;
      readonly add?: readonly ListItem[];
      readonly remove?: readonly string[];
    };

/** Of a list: a text, or a rule that carries more. */
export type ListItem = string | { readonly rule: string; readonly until: string };

/**
 * Changes `config.yaml` and nothing else in it: comments, order and blank lines stay. The file is replaced as a whole
 * or not at all, and not when the result would have a mistake that was not there before.
 * @returns Whether anything changed.
 */
export async function editSettings(
  file: string,
  edits: readonly SettingsEdit[],
  options: { readonly home: Home; readonly schema: Setting },
): Promise<boolean> {
  const { parseDocument, isMap, isScalar, isSeq, stringify } = await import("yaml");
  options.home.folder();
  return withFileLock(file, () => {
    const before = readText(file);
    const document = parseDocument(before, { merge: true, intAsBigInt: true });
    if (document.errors.length > 0) {
      const lineOf = (offset: number): number => before.slice(0, offset).split("\n").length;
      const { offset, text } = yamlMistakes(document, lineOf)[0]!;
      throw new UserError(`${file}:${lineOf(offset)} is not valid YAML, so the file was not changed. ${text}`, {
        hint: "Fix it first: hermes config edit",
        exitCode: 78,
      });
    }
    if (document.contents === null) {
      const comment = document.commentBefore ?? document.comment;
      document.contents = document.createNode({}) as never;
      document.commentBefore = comment;
      document.comment = null;
    }
    if (edits.every(({ kind, path }) => kind === "unset" && !document.hasIn(keysOf(document, path)))) return false;
    const old = problemTexts(document);
    const spot = edits.length === 1 ? spotOf(document, edits[0]!) : undefined;
    for (const edit of edits) apply(document, edit);
    const fresh = checkSettings(dataOf(document), options.schema).problems.find(({ text }) => !old.has(text));
    if (fresh !== undefined)
      throw new UserError(`${fresh.text} Nothing was changed.`, { hint: fresh.hint, exitCode: 78 });
    const text = (spot === undefined ? undefined : replaced(document, before, spot)) ?? inStyleOf(before, document);
    if (text === before) return false;
    writeAtomically(file, text);
    return true;
  });

  /** Where in the text the one value stands that an edit replaces by another. */
  function spotOf(document: Document, edit: SettingsEdit): Spot | undefined {
    const there = edit.kind === "set" ? document.getIn(keysOf(document, edit.path), true) : undefined;
    if (
      edit.kind !== "set" ||
      !isScalar(there) ||
      !there.range ||
      (typeof edit.value === "object" && edit.value !== null)
    )
      return undefined;
    const quotes = there.type === "QUOTE_DOUBLE" || there.type === "QUOTE_SINGLE" ? there.type : "PLAIN";
    return {
      from: there.range[0],
      to: there.range[1],
      source: stringify(edit.value, { defaultStringType: quotes, lineWidth: 0 }).trimEnd(),
    };
  }

  /** The text with nothing but that value replaced, unless it would say something else there. */
  function replaced(document: Document, before: string, { from, to, source }: Spot): string | undefined {
    const text = `${before.slice(0, from)}${source}${before.slice(to)}`;
    const again = parseDocument(text, { merge: true, intAsBigInt: true });
    return again.errors.length === 0 && JSON.stringify(dataOf(again)) === JSON.stringify(dataOf(document))
      ? text
      : undefined;
  }

  function apply(document: Document, edit: SettingsEdit): void {
    const keys = keysOf(document, edit.path);
    if (edit.kind === "unset") {
      if (document.hasIn(keys)) document.deleteIn(keys);
      // A section left empty says nothing any more.
      const parent = keys.slice(0, -1);
      if (parent.length > 0 && isMap(document.getIn(parent)) && (document.getIn(parent) as YAMLMap).items.length === 0)
        document.deleteIn(parent);
      return;
    }
    if (edit.kind === "list" && (edit.add ?? []).length === 0 && !document.hasIn(keys)) return;
    openWay(document, keys);
    if (edit.kind === "set") {
      const there = document.getIn(keys, true);
      if (isScalar(there) && (typeof edit.value !== "object" || edit.value === null)) there.value = edit.value;
      else document.setIn(keys, document.createNode(edit.value));
      return;
    }
    let list = document.getIn(keys, true);
    if (!isSeq(list)) {
      document.setIn(keys, document.createNode([]));
      list = document.getIn(keys, true);
    }
    if (!isSeq(list)) return;
    list.flow = false;
    list.items = list.items.filter((item) => !edit.remove?.includes(nameOf(item)));
    const held = new Set(list.items.map(nameOf));
    for (const value of edit.add ?? [])
      if (!held.has(typeof value === "string" ? value : value.rule)) list.add(document.createNode(value));
    if (list.items.length === 0) list.flow = true;
  }

  /** The identity of a list item: itself, or its rule if it has more fields. */
  function nameOf(item: unknown): string {
    return String(isScalar(item) ? item.value : isMap(item) ? item.get("rule") : item);
  }

  /** The path as the file spells it: an alias that is already there stays. */
  function keysOf(document: Document, path: string): string[] {
    const keys: string[] = [];
    let setting: Setting | undefined = options.schema;
    for (const key of splitPath(path)) {
      const name = canonicalKey(setting?.properties ?? {}, key);
      const known: Setting | undefined = setting?.properties?.[name];
      const spellings = [name, ...(known?.aliases ?? [])];
      keys.push(spellings.find((spelling) => document.hasIn([...keys, spelling])) ?? name);
      setting = known ?? (typeof setting?.additionalProperties === "object" ? setting.additionalProperties : undefined);
    }
    return keys;
  }

  /** Makes the maps on the way; a plain value that stands for a map becomes that map. */
  function openWay(document: Document, keys: readonly string[]): void {
    let setting: Setting | undefined = options.schema;
    for (let depth = 0; depth < keys.length - 1; depth++) {
      setting = setting?.properties?.[keys[depth]!];
      const way = keys.slice(0, depth + 1);
      const there = document.getIn(way, true);
      if (isMap(there)) continue;
      const value = isScalar(there) ? (there.value as Json) : null;
      document.setIn(
        way,
        document.createNode(value !== null && setting?.shorthand !== undefined ? { [setting.shorthand]: value } : {}),
      );
    }
  }

  function problemTexts(document: Document): ReadonlySet<string> {
    return new Set(checkSettings(dataOf(document), options.schema).problems.map(({ text }) => text));
  }
}

function dataOf(document: Document): Json {
  return JSON.parse(JSON.stringify(document.toJS() ?? {}, exactIntegers)) as Json;
}

interface Spot {
  readonly from: number;
  readonly to: number;
  readonly source: string;
}

/** Keeps the indentation, line ends and byte order mark of the user's editor. */
function inStyleOf(before: string, document: Document): string {
  const indent = /^( {2,8})[^\s#-]/m.exec(before)?.[1]?.length ?? 2;
  const text = document.toString({ lineWidth: 0, indent });
  const mark = before.startsWith("\uFEFF") && !text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return `${mark}${before.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text}`;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
