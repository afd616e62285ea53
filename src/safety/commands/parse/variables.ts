import { isKnown, REFERENCE, UNKNOWN } from "./marks.ts";
import type { ShellState, Value } from "./state.ts";

const MAX_REFERENCES = 8;

/** The name, or element of an array, that a name stands for: itself, unless `declare -n` made it a reference. */
export function referred(name: string, state: ShellState): string {
  let at = name;
  for (let round = 0; round < MAX_REFERENCES; round++) {
    const value = state.variables.get(at);
    if (typeof value !== "string" || !value.startsWith(REFERENCE) || value === REFERENCE) return at;
    at = value.slice(1);
  }
  return at;
}

/** The value of a name or an element (`a[1]`); undefined if the script does not set it. */
export function valueOf(name: string, state: ShellState): Value | undefined {
  const own = referred(name, state);
  const [, array, index] = ELEMENT.exec(own) ?? [];
  return array === undefined ? state.variables.get(own) : elementOf(array, index!, state);
}

/** Sets what the name stands for. */
export function setVariable(name: string, value: Value, state: ShellState): void {
  const own = referred(name, state);
  const [, array, index] = ELEMENT.exec(own) ?? [];
  if (array !== undefined) setElement(array, index!, typeof value === "string" ? value : UNKNOWN, state);
  // `declare -n r`: the first value says what it refers to.
  else if (state.variables.get(own) === REFERENCE)
    state.variables.set(own, typeof value === "string" && isKnown(value) ? REFERENCE + value : UNKNOWN);
  else state.variables.set(own, value);
}

/** `${a[index]}`; all items for `@` and `*`. */
export function elementOf(name: string, index: string, state: ShellState): Value | undefined {
  const array = referred(name, state);
  const stored = state.variables.get(array);
  if (index === "@" || index === "*")
    return stored === UNKNOWN || stored === undefined ? itemsApart(array, state) : stored;
  const apart = state.variables.get(`${array}[${index}]`);
  if (apart !== undefined) return typeof apart === "string" ? apart : "";
  const at = numberOf(index, state);
  if (Array.isArray(stored)) return at === undefined ? undefined : (stored.at(at) ?? "");
  return at === 0 ? stored : undefined;
}

/** `a[index]=value`: items that follow each other are an array, others stand apart, each under its own name. */
export function setElement(name: string, index: string, value: string, state: ShellState): void {
  const array = referred(name, state);
  const stored = state.variables.get(array);
  const at = numberOf(index, state);
  const items = Array.isArray(stored) ? stored : typeof stored === "string" && isKnown(stored) ? [stored] : [];
  state.budget.spend(items.length / 20);
  if (!isKnown(index)) forget(array, state);
  else if (at !== undefined && at >= 0 && at <= items.length && (stored === undefined || isKnown(String(stored))))
    state.variables.set(array, items.toSpliced(at, 1, value));
  else {
    if (!Array.isArray(stored) || items.length === 0) state.variables.set(array, UNKNOWN);
    state.variables.set(`${array}[${index}]`, value);
  }
}

/** Nothing is known of the array any more. */
export function forget(array: string, state: ShellState): void {
  for (const name of state.variables.keys())
    if (name === array || name.startsWith(`${array}[`)) state.variables.set(name, UNKNOWN);
  state.variables.set(array, UNKNOWN);
}

/** Items under numbers, in their order; those under names come in an order that only the shell knows. */
function itemsApart(array: string, state: ShellState): Value | undefined {
  state.budget.spend(state.variables.size / 20);
  const items = [...state.variables]
    .filter(([name]) => name.startsWith(`${array}[`))
    .map(([name, value]) => [Number(name.slice(array.length + 1, -1)), value] as const);
  if (items.length === 0) return state.variables.get(array);
  if (items.length > 1 && items.some(([at]) => Number.isNaN(at))) return UNKNOWN;
  return items.sort(([a], [b]) => a - b).map(([, value]) => String(value));
}

/** `${!a[@]}`: the numbers or the names of the items. */
export function keysOf(name: string, state: ShellState): readonly string[] | undefined {
  const array = referred(name, state);
  const stored = state.variables.get(array);
  if (Array.isArray(stored)) return stored.map((_, at) => String(at));
  state.budget.spend(state.variables.size / 20);
  const keys = [...state.variables.keys()]
    .filter((key) => key.startsWith(`${array}[`))
    .map((key) => key.slice(array.length + 1, -1));
  return keys.length > 0 ? keys : undefined;
}

function numberOf(index: string, state: ShellState): number | undefined {
  if (/^-?\d+$/.test(index)) return Number(index);
  const named = /^[A-Za-z_]\w*$/.test(index) ? state.variables.get(referred(index, state)) : undefined;
  return typeof named === "string" && /^\d+$/.test(named) ? Number(named) : undefined;
}

const ELEMENT = /^([A-Za-z_]\w*)\[(.*)\]$/s;
