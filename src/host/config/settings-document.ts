import { isMap, isScalar, isSeq, parseDocument, stringify, type Document, type YAMLMap } from "yaml";
import { UserError } from "../../contract/common/failure.ts";
import type { Json } from "../../contract/common/json.ts";
import { exactIntegers } from "../../contract/common/parse-exact.ts";
import { canonicalKey, splitPath, type Setting } from "./setting.ts";
import type { SettingsEdit } from "./settings-edit.ts";
import { yamlMistakes } from "./yaml-mistakes.ts";

/** `config.yaml` while it is edited. Comments, order and blank lines stay. */
export class SettingsDocument {
  readonly #document: Document;
  readonly #before: string;
  readonly #schema: Setting;
  /** The only value to replace, if the edits replace one. */
  #spot: Spot | undefined;

  /** @throws {UserError} if the text is not valid YAML. */
  constructor(file: string, before: string, schema: Setting) {
    const document = parseDocument(before, { merge: true, intAsBigInt: true });
    this.#document = document;
    this.#before = before;
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
    this.#spot = edits.length === 1 ? this.#spotOf(edits[0]!) : undefined;
    for (const edit of edits) this.#apply(edit);
  }

  /** The text of the file after the edits. */
  text(): string {
    return (
      (this.#spot === undefined ? undefined : this.#replaced(this.#spot)) ?? inStyleOf(this.#before, this.#document)
    );
  }

  /** Where in the text the one value stands that an edit replaces by another. */
  #spotOf(edit: SettingsEdit): Spot | undefined {
    const there = edit.kind === "set" ? this.#document.getIn(this.#keysOf(edit.path), true) : undefined;
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
  #replaced({ from, to, source }: Spot): string | undefined {
    const text = `${this.#before.slice(0, from)}${source}${this.#before.slice(to)}`;
    const again = parseDocument(text, { merge: true, intAsBigInt: true });
    return again.errors.length === 0 && JSON.stringify(dataOf(again)) === JSON.stringify(this.values)
      ? text
      : undefined;
  }

  #apply(edit: SettingsEdit): void {
    const keys = this.#keysOf(edit.path);
    if (edit.kind === "unset") {
      if (this.#document.hasIn(keys)) this.#document.deleteIn(keys);
      // A section left empty says nothing any more.
      const parent = keys.slice(0, -1);
      if (
        parent.length > 0 &&
        isMap(this.#document.getIn(parent)) &&
        (this.#document.getIn(parent) as YAMLMap).items.length === 0
      )
        this.#document.deleteIn(parent);
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
      if (isMap(there)) continue;
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

interface Spot {
  readonly from: number;
  readonly to: number;
  readonly source: string;
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
