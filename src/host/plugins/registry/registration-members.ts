import { existsSync } from "node:fs";
import type { CliCommand, SlashCommand } from "../../../contract/conversation/command.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { HookHandler, HookName, HookOptions, Middleware, MiddlewareKind } from "../../../contract/plugins/hook.ts";
import type { PluginContext } from "../../../contract/plugins/plugin.ts";
import type { PluginSkill } from "../../../contract/plugins/skill.ts";
import type { Slots } from "../../../contract/plugins/slot.ts";
import { USED_SLOTS, type SlotName } from "../../../contract/plugins/slot-name.ts";
import type { AnyTool } from "../../../contract/tools/tool.ts";
import type { Toolset } from "../../../contract/tools/toolset.ts";
import { declare } from "../../../engine/tools/tool-declaration.ts";
import { BREACH } from "./contract-breach.ts";
import { BUILT_IN_TASKS } from "./built-in-tasks.ts";
import { describeProvider } from "./describe-provider.ts";
import type { PluginRuntime } from "./plugin-runtime.ts";
import { unlessWrong } from "./refused-registration.ts";
import { checkHook, checkMiddleware } from "./registration-shape.ts";
import type { ContextPorts } from "./context-ports.ts";

type RegistrationMembers = Pick<
  PluginContext,
  "tool" | "toolset" | "provide" | "hook" | "middleware" | "command" | "cli" | "skill"
>;

export const NOTHING: Disposable = { [Symbol.dispose]: () => undefined };

/** The members by which a plugin registers something. Each registration is also recorded as data. */
export function registrationMembers(
  { plugin: { key, manifest }, log, registration }: ContextPorts,
  runtime: PluginRuntime,
  refuse: (reason: string) => Disposable,
): RegistrationMembers {
  const { registries, recording } = registration;
  const refused = (kind: "tool" | "command" | "cli", names: readonly string[]): boolean => {
    const reason = registration.refusal(kind, names);
    if (reason !== undefined) log.warning(reason, BREACH);
    return reason !== undefined;
  };

  return {
    tool(tool: AnyTool) {
      const declaration = unlessWrong(refuse, () => declare(tool));
      if (declaration === undefined) return NOTHING;
      recording.tools.push(declaration);
      if (refused("tool", [declaration.name, ...declaration.aliases])) return NOTHING;
      const loaded = Promise.resolve(tool);
      return runtime.claim("tool", declaration.name, tool, () =>
        registries.tools.add(declaration.name, { declaration, load: () => loaded }, key),
      );
    },
    toolset(toolset: Toolset) {
      const plain: Toolset = {
        name: toolset.name,
        description: toolset.description,
        tools: toolset.tools ?? [],
        includes: toolset.includes ?? [],
      };
      recording.toolsets.push(plain);
      return runtime.claim("toolset", plain.name, plain, () => registries.toolsets.add(plain.name, plain, key));
    },
    provide<S extends SlotName>(slot: S, provider: Slots[S]) {
      const described = describeProvider(provider);
      const { id, label } = described;
      if (id === "") throw new UserError(`A ${slot} provider of "${key}" has no name.`);
      if (slot === "auxiliary" && BUILT_IN_TASKS.has(id))
        return refuse(
          `The auxiliary task "${id}" is built in. Use another name, such as "${manifest.name.replaceAll(/\W/g, "_")}_${id}".`,
        );
      if (!USED_SLOTS.has(slot))
        log.info(`The ${slot} provider "${id}" is registered, but this version does not use that slot.`);
      recording.providers.push({
        slot,
        id,
        label,
        get data() {
          return described.data;
        },
      });
      const loaded = Promise.resolve(provider);
      return runtime.claim("provider", `${slot}/${id}`, provider, () =>
        registries.slots.add(slot, { id, label, data: described.data, load: () => loaded }, key),
      );
    },
    hook<K extends HookName>(name: K, handler: HookHandler<K>, options?: HookOptions) {
      checkHook(key, name, handler);
      recording.hooks.push({ name, options });
      return runtime.claim("hook", name, handler, () => registries.hooks.add(name, handler, key, options));
    },
    middleware<K extends MiddlewareKind>(kind: K, middleware: Middleware<K>) {
      checkMiddleware(key, kind, middleware);
      recording.middleware.push(kind);
      return runtime.claim("middleware", kind, middleware, () => registries.middlewares.add(kind, middleware, key));
    },
    command(command: SlashCommand) {
      const name = commandName(command.name);
      if (name === "" || typeof command.run !== "function")
        return refuse(`The slash command ${JSON.stringify(command.name)} needs a name and a run function.`);
      const named: SlashCommand = {
        ...command,
        name,
        run: command.run.bind(command),
        ...(command.complete === undefined ? {} : { complete: command.complete.bind(command) }),
      };
      const { run: _run, complete, ...data } = named;
      recording.commands.push({ ...data, completes: complete !== undefined });
      if (refused("command", [name, ...(command.aliases ?? [])])) return NOTHING;
      return runtime.claim("command", name, named, () => registries.commands.add(name, named, key));
    },
    cli(command: CliCommand) {
      if (typeof command.run !== "function") return refuse(`The command "${command.name}" has no run function.`);
      if (!/^[^\s<>[\]-][^\s<>[\]]*$/.test(command.name))
        return refuse(`A command must be one word, not ${JSON.stringify(command.name)}.`);
      const { run: _run, ...data } = command;
      recording.cli.push(data);
      if (refused("cli", [command.name])) return NOTHING;
      return runtime.claim("cli", command.name, command, () => registries.cli.add(command.name, command, key));
    },
    skill(skill: PluginSkill) {
      if (!/^[a-zA-Z0-9_-]+$/.test(skill.name))
        return refuse(`${JSON.stringify(skill.name)} is not a valid name of a skill. Use letters, digits, _ and -.`);
      if (!existsSync(skill.path)) return refuse(`The skill "${skill.name}" has no file ${skill.path}.`);
      const qualified = `${manifest.name}:${skill.name}`;
      recording.skills.push({ ...skill, qualified });
      return runtime.claim("skill", qualified, skill, () => registries.skills.add(qualified, skill, key));
    },
  };
}

/** Normalizes a command name as users may write it: `/My Status` becomes `my-status`. */
function commandName(name: string): string {
  return String(name).trim().toLowerCase().replace(/^\//, "").replace(/\s+/g, "-");
}
