import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../../../../contract/common/is-object.ts";
import { nearest } from "../../../../contract/common/nearest.ts";
import type { Notice } from "../../../../contract/common/notice.ts";
import { ACTIONS, isKey, type KeyContext } from "./actions.ts";

export const KEYS_FILE = "keybindings.json";

/** The keys of the actions whose keys differ from the defaults. */
export type UserKeys = ReadonlyMap<string, readonly string[]>;

/** The user's keys in `keybindings.json` of the home. A mistake is a notice, and the rest of the file counts. */
export async function readUserKeys(
  home: string,
): Promise<{ readonly keys: UserKeys; readonly notices: readonly Notice[] }> {
  const file = join(home, KEYS_FILE);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return { keys: new Map(), notices: code === "ENOENT" ? [] : [problem(file, message)] };
  }
  return userKeysOf(text, file);
}

/** @param file Named in notices. */
export function userKeysOf(
  text: string,
  file: string,
): { readonly keys: UserKeys; readonly notices: readonly Notice[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    return { keys: new Map(), notices: [problem(file, `it is not valid JSON (${(cause as Error).message})`)] };
  }
  if (!isObject(value)) return { keys: new Map(), notices: [problem(file, "it is not a JSON object")] };
  const notices: Notice[] = [];
  const given = new Map<string, readonly string[]>();
  for (const [name, keys] of Object.entries(value)) {
    const wrong = mistakeIn(name, keys);
    if (wrong !== undefined) notices.push(problem(file, wrong));
    else
      given.set(
        name,
        (Array.isArray(keys) ? keys : [keys]).map((key) => String(key).toLowerCase()),
      );
  }
  for (const { key, names } of claims(given))
    if (names.length > 1) notices.push(problem(file, `"${key}" has ${names.length} actions: ${names.join(", ")}`));
  return { keys: withoutTakenDefaults(given), notices };
}

function mistakeIn(name: string, keys: unknown): string | undefined {
  if (!ACTIONS.some((action) => action.name === name)) {
    const near = nearest(
      name,
      ACTIONS.map((action) => action.name),
    );
    return `there is no action "${name}"${near === undefined ? "" : `; did you mean "${near}"?`}`;
  }
  const list: readonly unknown[] = Array.isArray(keys) ? keys : [keys];
  for (const key of list) {
    if (typeof key !== "string") return `"${name}" must be a key or a list of keys`;
    if (!isKey(key)) return `"${name}" names a key that does not exist: "${key}"`;
  }
  return undefined;
}

/** The actions that want each key, in one part of the screen. */
function claims(given: UserKeys): readonly { readonly key: string; readonly names: readonly string[] }[] {
  const pairs = [...given].flatMap(([name, keys]) => keys.map((key) => ({ name, key, context: contextOf(name) })));
  const groups = Map.groupBy(pairs, ({ key, context }) => `${context} ${key}`);
  return [...groups.values()].map((group) => ({ key: group[0]!.key, names: group.map(({ name }) => name) }));
}

/** A key that the user gives to one action is no default of another action in the same part of the screen. */
function withoutTakenDefaults(given: UserKeys): UserKeys {
  const taken = new Set([...given].flatMap(([name, keys]) => keys.map((key) => `${contextOf(name)} ${key}`)));
  const freed = ACTIONS.filter(
    ({ name, keys, context }) => !given.has(name) && keys.some((key) => taken.has(`${context} ${key.toLowerCase()}`)),
  ).map(({ name, keys, context }): [string, readonly string[]] => [
    name,
    keys.filter((key) => !taken.has(`${context} ${key.toLowerCase()}`)),
  ]);
  return new Map([...given, ...freed]);
}

function contextOf(name: string): KeyContext | undefined {
  return ACTIONS.find((action) => action.name === name)?.context;
}

function problem(file: string, what: string): Notice {
  return {
    level: "warning",
    text: `Cannot use a part of ${file}: ${what}.`,
    hint: "Fix the file and start again; the other keys work. docs/reference/keys.md lists the actions.",
  };
}
