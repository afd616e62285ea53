import { ToolFailure } from "hermes-agent/plugin";
import type { Operation } from "./change-notes.ts";
import type { Target } from "./notes.ts";

/** The arguments that a model sends. */
export interface MemoryInput {
  readonly target?: string;
  readonly action?: string;
  readonly content?: string;
  readonly old_text?: string;
  readonly operations?: unknown;
}

export function targetOf({ target }: MemoryInput): Target {
  return target === "user" ? "user" : "memory";
}

/** One operation, or several that apply atomically. @throws {ToolFailure} for an invalid operation. */
export function operationsOf(input: MemoryInput): readonly Operation[] {
  const given = listOf(input.operations);
  if (given.length === 0) return [operationOf(input, "")];
  return given.map((one, at) =>
    operationOf(typeof one === "object" && one !== null ? (one as MemoryInput) : {}, `Operation ${at + 1}: `),
  );
}

function operationOf({ action, content, old_text }: MemoryInput, place: string): Operation {
  if (action !== "add" && action !== "replace" && action !== "remove")
    throw wrong(`${place}action must be add, replace or remove${action === undefined ? "" : `, not "${action}"`}.`);
  return {
    action,
    content: typeof content === "string" ? content : "",
    oldText: typeof old_text === "string" ? old_text : "",
  };
}

/** Some models send the list as JSON text. */
function listOf(given: unknown): readonly unknown[] {
  if (given === undefined || given === null || given === "") return [];
  let list = given;
  if (typeof given === "string") {
    try {
      list = JSON.parse(given);
    } catch (cause) {
      throw wrong("operations must be a list of { action, content, old_text }; the text is not valid JSON.", cause);
    }
  }
  if (!Array.isArray(list)) throw wrong("operations must be a list of { action, content, old_text }.");
  return list;
}

function wrong(message: string, cause?: unknown): ToolFailure {
  return new ToolFailure("bad_arguments", message, { data: { success: false }, cause });
}
