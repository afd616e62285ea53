import { UserError } from "../../../contract/common/failure.ts";

/*
 * What is called later is a function. It is looked at where a plugin registers it, before it crosses a wire: `register` then fails at its own
 * line, and no person meets it first.
 */

export function checkHook(key: string, name: string, handler: unknown): void {
  if (typeof handler !== "function")
    throw new UserError(`The handler of the hook "${name}" of "${key}" is not a function.`);
}

export function checkMiddleware(key: string, kind: string, middleware: unknown): void {
  if (typeof middleware !== "function") throw new UserError(`The ${kind} middleware of "${key}" is not a function.`);
}
