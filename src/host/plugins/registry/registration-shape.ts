import { UserError } from "../../../contract/common/failure.ts";

/*
 * Checks that a callback is a function where a plugin registers it, before it crosses to another process, so that
 * `register` fails at the plugin's own line and not later in a session.
 */

export function checkHook(key: string, name: string, handler: unknown): void {
  if (typeof handler !== "function")
    throw new UserError(`The handler of the hook "${name}" of "${key}" is not a function.`);
}

export function checkMiddleware(key: string, kind: string, middleware: unknown): void {
  if (typeof middleware !== "function") throw new UserError(`The ${kind} middleware of "${key}" is not a function.`);
}
