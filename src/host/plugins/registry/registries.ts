import type { CliCommand, SlashCommand } from "../../../contract/conversation/command.ts";
import type { Clock } from "../../../contract/common/clock.ts";
import type { PluginSkill } from "../../../contract/plugins/skill.ts";
import type { Toolset } from "../../../contract/tools/toolset.ts";
import { Hooks } from "../../../engine/hooks/hooks.ts";
import { Middlewares } from "../../../engine/hooks/middleware.ts";
import type { ToolEntry } from "../../../engine/ports.ts";
import { Registry } from "../../../engine/tools/registry.ts";
import { SlotRegistry, type SlotPorts } from "../../tools/slots.ts";

/** The registries for plugins, one set per process. */
export interface Registries {
  readonly tools: Registry<ToolEntry>;
  readonly toolsets: Registry<Toolset>;
  readonly hooks: Hooks;
  readonly middlewares: Middlewares;
  readonly commands: Registry<SlashCommand>;
  readonly cli: Registry<CliCommand>;
  /** By `plugin:name`. */
  readonly skills: Registry<PluginSkill>;
  readonly slots: SlotRegistry;
}

export function createRegistries(ports: SlotPorts & { readonly clock: Clock }): Registries {
  const { log } = ports;
  return {
    tools: new Registry("tool", log),
    toolsets: new Registry("toolset", log),
    hooks: new Hooks(ports),
    middlewares: new Middlewares({ log }),
    commands: new Registry("slash command", log),
    cli: new Registry("command", log),
    skills: new Registry("skill", log),
    slots: new SlotRegistry(ports),
  };
}
