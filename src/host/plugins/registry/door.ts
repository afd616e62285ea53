import { registerHooks } from "node:module";

/**
 * The name this package has on the registry. Plugins import `hermes-agent/…`, which is another publisher's package
 * there.
 */
export const PACKAGE = "hermes-agent-ts";

const ENTRY_POINTS = ["plugin", "edit", "cli", "terminal", "browser", "platform", "testing", "registry"];

let open = false;

/**
 * Resolves `hermes-agent/plugin` to this process's own modules, for modules outside this package. A copy in a
 * `node_modules` beside a plugin is ignored: it would define every error class a second time, and could be another
 * publisher's code.
 */
export function openDoor(): void {
  if (open) return;
  open = true;
  const own = new Map(
    ENTRY_POINTS.flatMap((name) => {
      const url = import.meta.resolve(`${PACKAGE}/${name}`);
      return [
        [`hermes-agent/${name}`, url],
        [`${PACKAGE}/${name}`, url],
      ];
    }),
  );
  registerHooks({
    resolve(specifier, context, next) {
      const url = own.get(specifier);
      if (url !== undefined) return { url, shortCircuit: true };
      const resolved = next(specifier, context);
      // A plugin that is loaded again takes its own modules with it.
      const version = context.parentURL === undefined ? null : new URL(context.parentURL).searchParams.get(VERSION);
      if (version === null || !specifier.startsWith(".")) return resolved;
      return { ...resolved, url: `${resolved.url}?${VERSION}=${version}` };
    },
  });
}

const VERSION = "hermes-plugin";

/** A URL of the file under which Node loads it again as a new module. */
export function freshUrl(url: string, count: number): string {
  return `${url}?${VERSION}=${count}`;
}
