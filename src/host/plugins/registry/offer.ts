import { existsSync } from "node:fs";
import type { CliCommand, SlashCommand } from "../../../contract/conversation/command.ts";
import type { HookHandler, HookName, Middleware, MiddlewareKind } from "../../../contract/plugins/hook.ts";
import type { Slots } from "../../../contract/plugins/slot.ts";
import type { SlotName } from "../../../contract/plugins/slot-name.ts";
import type { AnyTool } from "../../../contract/tools/tool.ts";
import type { Home } from "../../environment/home.ts";
import type { SlotEntry } from "../../tools/slots.ts";
import type { PluginRuntime } from "./plugin-runtime.ts";
import type { Registered } from "./registered.ts";
import type { Registries } from "./registries.ts";

/**
 * Puts a snapshot's registrations into the registries, each with a stand-in that loads the plugin on first use.
 * @param home The folder in which the files of file-bound handlers are looked up.
 * @param refused Why the tool or command of that name may not be registered, if so.
 */
export function offerSnapshot(
  runtime: PluginRuntime,
  registered: Registered,
  registries: Registries,
  home: Pick<Home, "file">,
  refused: (kind: "tool" | "command" | "cli", names: readonly string[]) => boolean,
): void {
  const { key } = runtime;
  for (const declaration of registered.tools) {
    if (refused("tool", [declaration.name, ...declaration.aliases])) continue;
    runtime.offer("tool", declaration.name, (real) => {
      let loading: Promise<AnyTool> | undefined;
      return registries.tools.add(
        declaration.name,
        { declaration, load: () => (loading ??= real() as Promise<AnyTool>) },
        key,
      );
    });
  }
  for (const toolset of registered.toolsets)
    runtime.offer("toolset", toolset.name, () => registries.toolsets.add(toolset.name, toolset, key));
  for (const { name, options } of registered.hooks) {
    if (options?.onlyWith !== undefined && !existsSync(home.file(options.onlyWith))) {
      runtime.leaveOut("hook", name);
      continue;
    }
    runtime.offer("hook", name, (real, now) => registries.hooks.add(name, hookStandIn(real, now), key, options));
  }
  for (const kind of registered.middleware) {
    runtime.offer("middleware", kind, (real) =>
      registries.middlewares.add(
        kind,
        (async (input, next) =>
          ((await real()) as Middleware<MiddlewareKind>)(input as never, next as never)) as Middleware<typeof kind>,
        key,
      ),
    );
  }
  for (const { completes, ...data } of registered.commands) {
    if (refused("command", [data.name, ...(data.aliases ?? [])])) continue;
    runtime.offer("command", data.name, (real) => {
      const command = real as () => Promise<SlashCommand>;
      const standIn: SlashCommand = {
        ...data,
        run: async (args, call) => (await command()).run(args, call),
        complete: completes ? async (args) => (await (await command()).complete?.(args)) ?? [] : undefined,
      };
      return registries.commands.add(data.name, standIn, key);
    });
  }
  for (const data of registered.cli) {
    if (refused("cli", [data.name])) continue;
    runtime.offer("cli", data.name, (real) =>
      registries.cli.add(
        data.name,
        { ...data, run: async (input, io) => ((await real()) as CliCommand).run(input, io) },
        key,
      ),
    );
  }
  for (const skill of registered.skills)
    runtime.offer("skill", skill.qualified, () => registries.skills.add(skill.qualified, skill, key));
  for (const { slot, id, label, data } of registered.providers) {
    runtime.offer("provider", `${slot}/${id}`, (real) => {
      let loading: Promise<Slots[SlotName]> | undefined;
      const entry: SlotEntry = { id, label, data, load: () => (loading ??= real() as Promise<Slots[SlotName]>) };
      return registries.slots.add(slot, entry as never, key);
    });
  }
}

/** Once the plugin is loaded its handler is called directly, so a synchronous handler needs no promises. */
function hookStandIn(real: () => Promise<unknown>, now: () => unknown): HookHandler<HookName> {
  return ((payload: never) => {
    const handler = now() as ((payload: never) => unknown) | undefined;
    return handler === undefined
      ? real().then((loaded) => (loaded as (payload: never) => unknown)(payload))
      : handler(payload);
  }) as HookHandler<HookName>;
}
