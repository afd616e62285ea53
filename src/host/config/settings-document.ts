import { isMap, isNode, isScalar, isSeq, parseDocument, type Document } from "yaml";
import { UserError } from "../../contract/common/failure.ts";
import type { Json } from "../../contract/common/json.ts";
import { exactIntegers } from "../../contract/common/parse-exact.ts";
import { editYamlText, type TextEdit } from "./edit-yaml-text.ts";
import { canonicalKey, splitPath, type Setting } from "./setting.ts";
import type { SettingsEdit } from "./settings-edit.ts";
import { yamlMistakes } from "./yaml-mistakes.ts";

/** `config.yaml` while it is edited. Comments, order and blank lines stay. */
export class SettingsDocument {
  readonly #document: Document;
  readonly #before: string;
  readonly #schema: Setting;
  /** The text with only the lines of the edited keys changed; `undefined` if an edit needs more. */
  #text: string | undefined;

  /** @throws {UserError} if the text is not valid YAML. */
  constructor(file: string, before: string, schema: Setting) {
    const document = parseDocument(before, { merge: true, intAsBigInt: true });
    this.#document = document;
    this.#before = before;
    this.#text = before;
    this.#schema = schema;
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
  }

  /** The file sets this path, under its name or an alias. */
  has(path: string): boolean {
    return this.#document.hasIn(this.#keysOf(path));
  }

  get values(): Json {
    return dataOf(this.#document);
  }

  apply(edits: readonly SettingsEdit[]): void {
    for (const edit of edits) {
      const keys = this.#keysOf(edit.path);
      const before = this.#lookOf(keys);
      this.#apply(edit);
      const change = this.#changeOf(edit, keys, before);
      if (this.#text !== undefined && change !== undefined) this.#text = editYamlText(this.#text, change);
    }
  }

  /** The text of the file after the edits, unless it would say something else: then the whole file is written again. */
  text(): string {
    if (this.#text !== undefined) {
      const again = parseDocument(this.#text, { merge: true, intAsBigInt: true });
      if (again.errors.length === 0 && JSON.stringify(dataOf(again)) === JSON.stringify(this.values)) return this.#text;
    }
    return inStyleOf(this.#before, this.#document);
  }

  /** What an edit needs to know of the document before it. */
  #lookOf(keys: readonly string[]): Look {
    let depth = 0;
    while (depth < keys.length - 1 && this.#leadsOn(keys, depth + 1)) depth++;
    let whole = keys.length;
    while (whole > 1) {
      const section = this.#document.getIn(keys.slice(0, whole - 1), true);
      if (!isMap(section) || section.items.length !== 1) break;
      whole--;
    }
    const there = this.#document.getIn(keys, true);
    return {
      has: this.#document.hasIn(keys),
      depth,
      whole,
      items: isSeq(there) ? there.items.map(nameOf) : undefined,
    };
  }

  /** Whether the first keys lead to a section, or to a list that has an item for the next key. */
  #leadsOn(keys: readonly string[], depth: number): boolean {
    const there = this.#document.getIn(keys.slice(0, depth), true);
    return isMap(there) || (isSeq(there) && /^\d+$/.test(keys[depth]!) && Number(keys[depth]) < there.items.length);
  }

  /** The change of the text that means the same as an edit; `undefined`: none. */
  #changeOf(edit: SettingsEdit, keys: readonly string[], before: Look): TextEdit | undefined {
    if (edit.kind === "unset") return before.has ? { kind: "unset", keys: keys.slice(0, before.whole) } : undefined;
    if (!this.#document.hasIn(keys)) return undefined;
    const now = this.#document.getIn(keys, true);
    if (edit.kind === "list" && before.items !== undefined && isSeq(now) && now.items.length > 0) {
      const remove = before.items.flatMap((name, index) => (edit.remove?.includes(name) === true ? [index] : []));
      const kept = before.items.length - remove.length;
      // Without a kept item there is no line to follow: the list is written as a whole.
      if (kept > 0) return { kind: "list", keys, remove, add: now.items.slice(kept).map((item) => this.#plain(item)) };
    }
    // The first section on the way that is not there yet is written with all below it.
    const from = keys.slice(0, before.depth + 1);
    return { kind: "set", keys: from, value: this.#plain(this.#document.getIn(from, true)) };
  }

  #plain(node: unknown): unknown {
    return isNode(node) ? node.toJS(this.#document) : node;
  }

  #apply(edit: SettingsEdit): void {
    const keys = this.#keysOf(edit.path);
    if (edit.kind === "unset") {
      if (this.#document.hasIn(keys)) this.#document.deleteIn(keys);
      // A section left empty says nothing any more.
      for (let depth = keys.length - 1; depth > 0; depth--) {
        const section = this.#document.getIn(keys.slice(0, depth), true);
        if (!isMap(section) || section.items.length > 0) break;
        this.#document.deleteIn(keys.slice(0, depth));
      }
      return;
    }
    if (edit.kind === "list" && (edit.add ?? []).length === 0 && !this.#document.hasIn(keys)) return;
    this.#openWay(keys);
    if (edit.kind === "set") {
      const there = this.#document.getIn(keys, true);
      if (isScalar(there) && (typeof edit.value !== "object" || edit.value === null)) there.value = edit.value;
      else this.#document.setIn(keys, this.#document.createNode(edit.value));
      return;
    }
    let list = this.#document.getIn(keys, true);
    if (!isSeq(list)) {
      this.#document.setIn(keys, this.#document.createNode([]));
      list = this.#document.getIn(keys, true);
    }
    if (!isSeq(list)) return;
    list.flow = false;
    list.items = list.items.filter((item) => !edit.remove?.includes(nameOf(item)));
    const held = new Set(list.items.map(nameOf));
    for (const value of edit.add ?? [])
      if (!held.has(typeof value === "string" ? value : value.rule)) list.add(this.#document.createNode(value));
    if (list.items.length === 0) list.flow = true;
  }

  /** The path as the file spells it: an alias that is already there stays. */
  #keysOf(path: string): string[] {
    const keys: string[] = [];
    let setting: Setting | undefined = this.#schema;
    for (const key of splitPath(path)) {
      const name = canonicalKey(setting?.properties ?? {}, key);
      const known: Setting | undefined = setting?.properties?.[name];
      const spellings = [name, ...(known?.aliases ?? [])];
      keys.push(spellings.find((spelling) => this.#document.hasIn([...keys, spelling])) ?? name);
      setting = known ?? (typeof setting?.additionalProperties === "object" ? setting.additionalProperties : undefined);
    }
    return keys;
  }

  /** Makes the maps on the way; a plain value that stands for a map becomes that map. */
  #openWay(keys: readonly string[]): void {
    let setting: Setting | undefined = this.#schema;
    for (let depth = 0; depth < keys.length - 1; depth++) {
      setting = setting?.properties?.[keys[depth]!];
      const way = keys.slice(0, depth + 1);
      const there = this.#document.getIn(way, true);
      if (this.#leadsOn(keys, depth + 1)) continue;
      const value = isScalar(there) ? (there.value as Json) : null;
      this.#document.setIn(
        way,
        this.#document.createNode(
          value !== null && setting?.shorthand !== undefined ? { [setting.shorthand]: value } : {},
        ),
      );
    }
  }
}

function dataOf(document: Document): Json {
  return JSON.parse(JSON.stringify(document.toJS() ?? {}, exactIntegers)) as Json;
}

interface Look {
  readonly has: boolean;
  /** How many of the keys lead through sections that are there. */
  readonly depth: number;
  /** The identities of the items, if a list is there. */
  readonly items: readonly string[] | undefined;
  /** How many keys lead to the section that becomes empty without the last one; all of them if none does. */
  readonly whole: number;
}

/** The identity of a list item: itself, or its rule if it has more fields. */
function nameOf(item: unknown): string {
  return String(isScalar(item) ? item.value : isMap(item) ? item.get("rule") : item);
}

/** Keeps the indentation, line ends and byte order mark of the user's editor. */
function inStyleOf(before: string, document: Document): string {
  const indent = /^( {2,8})[^\s#-]/m.exec(before)?.[1]?.length ?? 2;
  const text = document.toString({ lineWidth: 0, indent });
  const mark = before.startsWith("\uFEFF") && !text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return `${mark}${before.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text}`;
}
