import {
  TODO_STATE,
  ToolFailure,
  type JsonObject,
  type StateKey,
  type StoredTodo,
  type ToolContext,
} from "hermes-agent/plugin";
import { mergeTodos, replaceTodos, STATUSES, type Todo } from "./todo-list.ts";

/** A JSON value as stored in the session's facts. */
type Stored = readonly (StoredTodo & { readonly [key: string]: string })[];

const TODOS: StateKey<Stored> = { key: TODO_STATE, initial: [] };

export interface TodoInput {
  readonly todos?: unknown;
  readonly merge?: boolean;
}

export interface TodoOutput {
  readonly todos: readonly Todo[];
  readonly summary: Readonly<Record<"total" | Todo["status"], number>>;
}

/** Serializes the changes of one session: parallel calls must not overwrite each other. */
const turns = new Map<string, Promise<unknown>>();

/** Returns the session's list, after changing it if requested. */
export async function useTodos(input: TodoInput, call: Pick<ToolContext, "state" | "sessionId">): Promise<TodoOutput> {
  const before = turns.get(call.sessionId) ?? Promise.resolve();
  const turn = before.then(() => inTurn(input, call));
  // The next call waits for the end of this one, whether it succeeds or fails.
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
      throw new ToolFailure("bad_arguments", "todos must be a list of items; the text is not valid JSON.", { cause });
    }
  }
  if (!Array.isArray(list))
    throw new ToolFailure(
      "bad_arguments",
      `todos must be a list of items, not ${list === null ? "null" : typeof list}.`,
    );
  // Text that is not a list arrives as a list of that text. Keep the current list and return it with the error.
  if (list.length > 0 && !list.some(isItem))
    throw new ToolFailure(
      "bad_arguments",
      "todos must be a list of items with id, content and status; it has no valid item.",
      { data: message(present) as unknown as JsonObject },
    );
  return list;
}

/** `{}`, or an object around the list, is not an item. */
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
