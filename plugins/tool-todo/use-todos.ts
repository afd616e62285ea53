import { ToolFailure, type JsonObject, type StateKey, type ToolContext } from "hermes-agent/plugin";
import { mergeTodos, replaceTodos, STATUSES, type Todo } from "./todo-list.ts";

/** A JSON value as the session's facts keep it. */
type Stored = readonly { readonly id: string; readonly content: string; readonly status: string }[];

const TODOS: StateKey<Stored> = { key: "todos", initial: [] };

export interface TodoInput {
  readonly todos?: unknown;
  readonly merge?: boolean;
}

export interface TodoOutput {
  readonly todos: readonly Todo[];
  readonly summary: Readonly<Record<"total" | Todo["status"], number>>;
}

/** Changes of one session wait for each other: calls of one answer may run side by side, and none may be lost. */
const turns = new Map<string, Promise<unknown>>();

/** Reads the session's list, or changes it and reads it. */
export async function useTodos(input: TodoInput, call: Pick<ToolContext, "state" | "sessionId">): Promise<TodoOutput> {
  const before = turns.get(call.sessionId) ?? Promise.resolve();
  const turn = before.then(() => inTurn(input, call));
  // Whoever comes next waits for the end of this one, not for its success.
  const settled = turn.then(
    () => {},
    () => {},
  );
  turns.set(call.sessionId, settled);
  try {
    return await turn;
  } finally {
    if (turns.get(call.sessionId) === settled) turns.delete(call.sessionId);
  }
}

async function inTurn(input: TodoInput, call: Pick<ToolContext, "state">): Promise<TodoOutput> {
  const cell = call.state(TODOS);
  const present = cell.get() as readonly Todo[];
  if (input.todos === undefined || input.todos === null) return message(present);
  const given = listOf(input.todos, present);
  const next = input.merge === true ? mergeTodos(present, given) : replaceTodos(given);
  await cell.set(next as readonly (Todo & Stored[number])[]);
  return message(next);
}

/** Some models send the list as JSON text. */
function listOf(given: unknown, present: readonly Todo[]): readonly unknown[] {
  let list = given;
  if (typeof given === "string") {
    try {
      list = JSON.parse(given);
    } catch (cause) {
      throw new ToolFailure("bad_arguments", "todos must be a list of items; this text is not even JSON.", { cause });
    }
  }
  if (!Array.isArray(list))
    throw new ToolFailure(
      "bad_arguments",
      `todos must be a list of items, not ${list === null ? "null" : typeof list}.`,
    );
  // Text that was no list arrives as a list of that text: the present list is not given up for it, and shown.
  if (list.length > 0 && !list.some(isItem))
    throw new ToolFailure(
      "bad_arguments",
      "todos must be a list of items with id, content and status; there is none in it.",
      { data: message(present) as unknown as JsonObject },
    );
  return list;
}

/** `{}` and an object around the list hold nothing of an item. */
function isItem(item: unknown): boolean {
  return (
    typeof item === "object" &&
    item !== null &&
    !Array.isArray(item) &&
    ["id", "content", "status"].some((key) => Object.hasOwn(item, key))
  );
}

function message(todos: readonly Todo[]): TodoOutput {
  const count = (status: Todo["status"]): number => todos.filter((todo) => todo.status === status).length;
  const [pending, inProgress, completed, cancelled] = STATUSES.map(count) as [number, number, number, number];
  return { todos, summary: { total: todos.length, pending, in_progress: inProgress, completed, cancelled } };
}
