import type { Json, JsonObject } from "../../../contract/common/json.ts";
import { subjectOf } from "./call-subject.ts";
import { oneLine } from "./printable.ts";
import { cutTo } from "./width.ts";

/** A call as surfaces name it. */
export interface NamedCall {
  readonly name: string;
  readonly declaration: { readonly title?: string } | undefined;
  readonly args: JsonObject | undefined;
}

const NAME_AT_MOST = 32;

/**
 * `Read a.ts from line 40`, from the title that the tool declares; else the tool's name and the argument that
 * identifies the call.
 * @param argumentLength The most columns of one argument; 0: all of it.
 */
export function callTitle({ name, declaration, args }: NamedCall, argumentLength = 0): string {
  const cut = (text: string): string => (argumentLength === 0 ? text : cutTo(text, argumentLength));
  const titled = declaration?.title === undefined ? undefined : filled(declaration.title, args ?? {}, cut);
  return titled ?? `${cutTo(oneLine(name), NAME_AT_MOST)}  ${cut(subjectOf(args))}`.trimEnd();
}

/** `undefined` if an argument outside square brackets is missing. */
function filled(title: string, args: JsonObject, cut: (text: string) => string): string | undefined {
  let complete = true;
  const insert = (part: string, onMissing: () => void): string =>
    part.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const text = argumentText(args[name]);
      if (text === "") onMissing();
      return cut(text);
    });
  const whole = title
    .split(/\[([^\]]*)\]/)
    .map((part, at) => {
      if (at % 2 === 0) return insert(part, () => (complete = false));
      let missing = false;
      const text = insert(part, () => (missing = true));
      return missing ? "" : text;
    })
    .join("");
  return complete ? whole : undefined;
}

/** A list is named by its first element. */
function argumentText(value: Json | undefined): string {
  if (typeof value === "string") return oneLine(value);
  if (typeof value === "number") return String(value);
  if (!Array.isArray(value)) return "";
  const first = subjectOfElement(value[0]);
  return first === "" || value.length === 1 ? first : `${first} and ${value.length - 1} more`;
}

/** A text, or the goal of a task. */
function subjectOfElement(element: Json | undefined): string {
  if (typeof element === "string") return oneLine(element);
  if (typeof element !== "object" || element === null || Array.isArray(element)) return "";
  const { goal } = element as JsonObject;
  return typeof goal === "string" ? oneLine(goal) : "";
}
