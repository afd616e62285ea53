import type { PluginListing } from "../../../../contract/services/plugin-service.ts";
import type { ToolListing } from "../../../../contract/services/tool-service.ts";

/** A variable that `hermes setup` asks for. */
export interface AskedKey {
  readonly name: string;
  readonly prompt: string;
  readonly description: string;
  readonly url: string | undefined;
  readonly secret: boolean;
  /** Without it the plugin or tool does not run. */
  readonly required: boolean;
  /** The tools that need it. */
  readonly tools: readonly string[];
}

const SECRET_NAME = /_(KEY|TOKEN|SECRET|PASSWORD)$/;

/**
 * The keys that plugins and selected tools declare. Includes those of an enabled plugin that cannot start without its
 * key. Excludes tools that are off and variables of other tools.
 */
export function keysOf(plugins: readonly PluginListing[], tools: readonly ToolListing[]): readonly AskedKey[] {
  const keys = new Map<string, AskedKey>();
  const add = (key: AskedKey): void => {
    const before = keys.get(key.name);
    keys.set(
      key.name,
      before === undefined
        ? key
        : {
            ...before,
            required: before.required || key.required,
            tools: [...new Set([...before.tools, ...key.tools])],
          },
    );
  };
  for (const { manifest, state, source, registered } of plugins) {
    const waits = state !== "enabled" && state !== "not enabled" && manifest.requires_env.length > 0;
    if (state !== "enabled" && !waits) continue;
    const own = registered.tools.length > 0 ? registered.tools : manifest.provides_tools;
    if (own.length === 0 && source === "bundled") continue; // `setup model` asks for model keys.
    // A tool that is not registered yet cannot be switched off.
    const selected = own.filter((name) => tools.find(({ declaration }) => declaration.name === name)?.enabled ?? true);
    for (const [needs, required] of [
      [manifest.requires_env, true],
      [manifest.optional_env, false],
    ] as const) {
      for (const need of needs) {
        const served = need.tools === undefined ? selected : selected.filter((name) => need.tools!.includes(name));
        if (served.length === 0 && own.length > 0) continue;
        if (!required && source === "bundled" && need.secret !== true) continue; // A setting, not a key.
        add({
          name: need.name,
          prompt: need.prompt ?? need.name,
          description: need.description ?? "",
          url: need.url,
          secret: need.secret ?? SECRET_NAME.test(need.name),
          required,
          tools: served,
        });
      }
    }
  }
  for (const { declaration, enabled } of tools) {
    if (!enabled) continue;
    for (const need of declaration.env) {
      add({
        name: need.name,
        prompt: need.name,
        description: need.description ?? "",
        url: need.url,
        secret: need.secret ?? SECRET_NAME.test(need.name),
        required: false,
        tools: [declaration.name],
      });
    }
  }
  return [...keys.values()];
}
