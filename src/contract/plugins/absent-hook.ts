import { HOOK_KINDS, MIDDLEWARE_KINDS } from "./hook.ts";
import { nearestHint } from "../common/nearest.ts";

/** The warning about a hook that does not exist; `undefined` for one that does. */
export function absentHook(owner: string, name: string): string | undefined {
  return Object.hasOwn(HOOK_KINDS, name)
    ? undefined
    : `"${owner}" listens to the hook "${name}", which does not exist and is never called.${nearestHint(name, Object.keys(HOOK_KINDS))}`;
}

/** The warning about a middleware kind that does not exist; `undefined` for one that does. */
export function absentMiddleware(owner: string, kind: string): string | undefined {
  return (MIDDLEWARE_KINDS as readonly string[]).includes(kind)
    ? undefined
    : `"${owner}" brings middleware of the kind "${kind}", which does not exist and is never called.${nearestHint(kind, MIDDLEWARE_KINDS)}`;
}
