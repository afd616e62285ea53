import { registerHooks } from "node:module";

const DOORS = [
  "hermes-agent/plugin",
  "hermes-agent/edit",
  "hermes-agent/terminal",
  "hermes-agent/browser",
  "hermes-agent/testing",
  "hermes-agent/registry",
];

let open = false;

/**
 * Lets modules outside this package import `hermes-agent/plugin`: they get this very process's own, whatever copy lies in a
 * `node_modules` beside them, since two copies of one error class are two classes.
 */
export function openDoor(): void {
  if (open) return;
  open = true;
  const own = new Map(DOORS.map((door) => [door, import.meta.resolve(door)]));
  registerHooks({
    resolve(specifier, context, next) {
      const url = own.get(specifier);
      if (url !== undefined) return { url, shortCircuit: true };
      const resolved = next(specifier, context);
      // A plugin that is loaded anew takes its own modules with it.
      const version = context.parentURL === undefined ? null : new URL(context.parentURL).searchParams.get(VERSION);
      if (version === null || !specifier.startsWith(".")) return resolved;
      return { ...resolved, url: `${resolved.url}?${VERSION}=${version}` };
    },
  });
}

const VERSION = "hermes-plugin";

/** The same file as a module nobody has loaded yet. */
export function freshUrl(url: string, count: number): string {
  return `${url}?${VERSION}=${count}`;
}
