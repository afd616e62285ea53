/** The key of the session's state that holds its to-do list; open items outlive every compaction. */
export const TODO_STATE = "todos";

/** An item of that list. `pending` and `in_progress` are open. */
export interface StoredTodo {
  readonly id: string;
  readonly content: string;
  readonly status: string;
}
