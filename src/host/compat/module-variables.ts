import { AsyncLocalStorage } from "node:async_hooks";

type Lookup = (name: string) => string | undefined;

interface Visible {
  readonly names: ReadonlySet<string>;
  readonly get: Lookup;
}

const visible = new AsyncLocalStorage<Visible>();
let installed = false;

/**
 * Runs code that reads these variables from `process.env`, as tools of the original do. Hermes keeps secrets out of
 * `process.env`, and the code's own child processes do not inherit these either.
 */
export function withVariables<T>(names: readonly string[], get: Lookup, run: () => T): T {
  if (names.length === 0) return run();
  install();
  return visible.run({ names: new Set(names), get }, run);
}

/** Names in each `requires_env: ["NAME"]` of a module, whose body may read them before it registers its tool. */
export function namesIn(source: string): readonly string[] {
  const lists = source.matchAll(/\brequires_env["']?\s*:\s*\[([^\]]*)\]/g);
  return [...lists].flatMap(([, list = ""]) =>
    [...list.matchAll(/["'`]([A-Za-z_]\w*)["'`]/g)].map(([, name]) => name!),
  );
}

/** Replaces `process.env` once, and only if a module declares a variable. */
function install(): void {
  if (installed) return;
  installed = true;
  const known = (name: string | symbol): string | undefined => {
    const now = visible.getStore();
    return now !== undefined && typeof name === "string" && now.names.has(name) ? now.get(name) : undefined;
  };
  process.env = new Proxy(process.env, {
    get: (variables, name) => known(name) ?? (Reflect.get(variables, name) as string | undefined),
    has: (variables, name) => known(name) !== undefined || Reflect.has(variables, name),
    // Without its receiver, which would define a property, and the environment takes only assignments.
    set: (variables, name, value) => Reflect.set(variables, name, value),
  });
}
