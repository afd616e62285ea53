import type { PluginListing } from "../../../contract/services/plugin-service.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { Verdict } from "../consent/gate.ts";
import type { Pin } from "../consent/plugin-pins.ts";
import type { Registered } from "../registry/registered.ts";

export interface Known {
  readonly state: Verdict | { readonly state: "shadowed" | "failed"; readonly reason: string };
  /** Registrations of the running plugin, else those of its last run. */
  readonly registered: Registered | undefined;
  readonly pin: Pin | undefined;
  readonly environment: { get(name: string): string | undefined };
}

/** A plugin as lists show it. */
export function listingOf(
  { manifest, key, dir, source }: FoundPlugin,
  { state, registered, pin, environment }: Known,
): PluginListing {
  return {
    manifest,
    key,
    dir,
    source,
    ...state,
    unset: [...manifest.requires_env, ...manifest.optional_env].flatMap(({ name }) =>
      environment.get(name) === undefined ? [name] : [],
    ),
    ...(pin?.from === undefined ? {} : { from: pin.from, resolved: pin.resolved }),
    registered: {
      tools: once(registered?.tools.map(({ name }) => name)),
      hooks: registered?.hooks.map(({ name }) => name) ?? [],
      commands: once(registered?.commands.map(({ name }) => name)),
      cli: once(registered?.cli.map(({ name }) => name)),
      skills: once(registered?.skills.map(({ name }) => name)),
      providers: once(registered?.providers.map(({ slot, id }) => `${slot}/${id}`)),
      toolsets: registered?.toolsets.map(({ name }) => name) ?? [],
      middleware: registered?.middleware ?? [],
    },
  };
}

/** A name that is registered twice appears once. */
function once(names: readonly string[] = []): readonly string[] {
  return [...new Set(names)];
}
