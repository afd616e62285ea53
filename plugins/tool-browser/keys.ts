import { definedFields, ToolFailure, type JsonObject } from "hermes-agent/plugin";

interface Key {
  readonly key: string;
  readonly code: string;
  readonly windowsVirtualKeyCode: number;
  readonly text?: string;
}

const NAMED: { readonly [name: string]: Key } = Object.fromEntries(
  (
    [
      ["Enter", 13, "\r"],
      ["Tab", 9],
      ["Escape", 27],
      ["Backspace", 8],
      ["Delete", 46],
      ["Space", 32, " "],
      ["ArrowUp", 38],
      ["ArrowDown", 40],
      ["ArrowLeft", 37],
      ["ArrowRight", 39],
      ["Home", 36],
      ["End", 35],
      ["PageUp", 33],
      ["PageDown", 34],
      ["Insert", 45],
      ...Array.from({ length: 12 }, (_, at) => [`F${at + 1}`, 112 + at] as const),
    ] as readonly (readonly [string, number, string?])[]
  ).map(([name, code, text]) => [
    name.toLowerCase(),
    {
      key: name === "Space" ? " " : name,
      code: name,
      windowsVirtualKeyCode: code,
      text,
    },
  ]),
);
const OTHER_NAMES: { readonly [name: string]: string } = {
  return: "enter",
  esc: "escape",
  up: "arrowup",
  down: "arrowdown",
  left: "arrowleft",
  right: "arrowright",
  del: "delete",
  spacebar: "space",
};
const MODIFIERS: { readonly [name: string]: number } = {
  alt: 1,
  option: 1,
  control: 2,
  ctrl: 2,
  meta: 4,
  command: 4,
  cmd: 4,
  shift: 8,
};

/**
 * A key, with others held down, as the browser wants it: `Enter`, `a`, `Control+A`. @throws {ToolFailure}
 * `bad_arguments` for one it does not know.
 */
export function keyEvent(text: string): JsonObject {
  const parts = text === "+" ? ["+"] : text.endsWith("++") ? [...text.slice(0, -2).split("+"), "+"] : text.split("+");
  const modifiers = parts.slice(0, -1).map((name) => MODIFIERS[name.trim().toLowerCase()]);
  const last = parts.at(-1)!;
  const name = last.trim().toLowerCase();
  const key = NAMED[OTHER_NAMES[name] ?? name] ?? letter(last);
  if (key === undefined || modifiers.includes(undefined))
    throw new ToolFailure("bad_arguments", `Unknown key: ${JSON.stringify(text)}.`, {
      hint: "Examples: Enter, Tab, Escape, ArrowDown, a letter, Control+A.",
    });
  const held = modifiers.reduce<number>((sum, bit) => sum | bit!, 0);
  const { text: typed, ...plain } = key;
  // With Control or Meta held it is a command, and types nothing.
  return {
    ...plain,
    modifiers: held,
    ...definedFields({ text: typed === undefined || (held & 6) !== 0 ? undefined : typed }),
  };
}

/** Whether pressing it writes something. */
export function types(text: string): boolean {
  return [...text].length === 1;
}

function letter(text: string): Key | undefined {
  if ([...text].length !== 1) return undefined;
  const upper = text.toUpperCase();
  return {
    key: text,
    text,
    windowsVirtualKeyCode: upper.length === 1 ? upper.charCodeAt(0) & 0xff : 0,
    code: /[a-z]/i.test(text) ? `Key${upper}` : /\d/.test(text) ? `Digit${text}` : "",
  };
}
