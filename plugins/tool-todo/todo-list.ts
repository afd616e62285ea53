export const STATUSES = ["pending", "in_progress", "completed", "cancelled"] as const;

export type TodoStatus = (typeof STATUSES)[number];

export interface Todo {
  readonly id: string;
  readonly content: string;
  readonly status: TodoStatus;
}

const MAX_ITEMS = 256;
const MAX_CHARS = 4_000;
const CUT = "… [truncated]";

/** Replaces the list. Of two items with the same id, the later one wins, at its position. */
export function replaceTodos(given: readonly unknown[]): readonly Todo[] {
  const items = given.map((item) => read(item));
  const last = new Map(items.map(({ id }, index) => [id, index]));
  const saved = items.filter(({ id }, index) => id === undefined || last.get(id) === index);
  const taken = new Set(saved.flatMap(({ id }) => (id === undefined ? [] : [id])));
  return saved.slice(0, MAX_ITEMS).map((item) => ({
    id: item.id ?? nextId(taken),
    content: item.content ?? (item.valid ? "(no description)" : "(invalid item)"),
    status: item.status ?? "pending",
  }));
}

/** Updates items with a known id in place by the given fields, and appends the others. Ignores items without an id. */
export function mergeTodos(present: readonly Todo[], given: readonly unknown[]): readonly Todo[] {
  const merged = new Map(present.map((todo) => [todo.id, todo]));
  for (const item of given.map((one) => read(one))) {
    if (item.id === undefined) continue;
    const old = merged.get(item.id);
    merged.set(item.id, {
      id: item.id,
      content: item.content ?? old?.content ?? "(no description)",
      status: item.status ?? old?.status ?? "pending",
    });
  }
  return [...merged.values()].slice(0, MAX_ITEMS);
}

interface Read {
  readonly valid: boolean;
  readonly id?: string;
  readonly content?: string;
  readonly status?: TodoStatus;
}

/** The usable fields of an item; a model's items are often incomplete. */
function read(item: unknown): Read {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return { valid: false };
  const { id, content, status } = item as Record<string, unknown>;
  return {
    valid: true,
    id: textOf(id),
    content: cut(typeof content === "object" && content !== null ? JSON.stringify(content) : textOf(content)),
    status: STATUSES.find((known) => known === textOf(status)?.toLowerCase()),
  };
}

function textOf(value: unknown): string | undefined {
  const text =
    typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : typeof value === "string"
        ? value.trim()
        : "";
  return text === "" ? undefined : text;
}

function cut(text: string | undefined): string | undefined {
  return text !== undefined && text.length > MAX_CHARS
    ? text.slice(0, MAX_CHARS - CUT.length).toWellFormed() + CUT
    : text;
}

/** The smallest number that is not used as an id, so that items without one stay separate. */
function nextId(taken: Set<string>): string {
  let number = 1;
  while (taken.has(String(number))) number++;
  taken.add(String(number));
  return String(number);
}
