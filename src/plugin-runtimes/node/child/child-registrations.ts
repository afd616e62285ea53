import type { CliCommand, SlashCommand } from "../../../contract/conversation/command.ts";
import { ToolFailure } from "../../../contract/common/failure.ts";
import type { Json } from "../../../contract/common/json.ts";
import type { PluginContext } from "../../../contract/plugins/plugin.ts";
import type { PluginSkill } from "../../../contract/plugins/skill.ts";
import type { AnyTool } from "../../../contract/tools/tool.ts";
import { isCompatTool } from "../../../engine/tools/compat-tool.ts";
import { DEPRECATED_MEMBERS } from "../../../engine/approval/assess-by-members.ts";
import { declare } from "../../../engine/tools/tool-declaration.ts";
import { describeProvider } from "../../../host/plugins/registry/describe-provider.ts";
import { unlessWrong } from "../../../host/plugins/registry/refused-registration.ts";
import { checkHook, checkMiddleware } from "../../../host/plugins/registry/registration-shape.ts";
import { HERE_ONLY, NEEDS_AGENT } from "../../serve/needs-agent.ts";
import type { PluginSide } from "./plugin-side.ts";

const NOTHING: Disposable = { [Symbol.dispose]: () => undefined };

type Registration = "tool" | "toolset" | "provide" | "hook" | "middleware" | "command" | "cli" | "skill" | "doctor";

/**
 * The members that register something: the agent gets its declaration, and the code stays here.
 * @param refuse Reports a registration that is not valid.
 */
export function childRegistrations(
  plugin: PluginSide,
  refuse: (reason: string) => Disposable,
): Pick<PluginContext, Registration> {
  const { key } = plugin.options;
  return {
    tool(tool: AnyTool) {
      const declaration = unlessWrong(refuse, () => declare(tool));
      if (declaration === undefined) return NOTHING;
      if (declaration.dynamicDescription)
        throw mustBeHere(key, `the description of the tool "${declaration.name}" is a function`);
      if (declaration.promptFiles !== undefined)
        throw mustBeHere(key, `the tool "${declaration.name}" adds to the system prompt`);
      const has = [
        ...(["assess", ...DEPRECATED_MEMBERS, "toModel"] as const).filter((each) => tool[each] !== undefined),
        ...(isCompatTool(tool) ? ["seeds"] : []),
      ];
      return plugin.register({ kind: "tool", real: tool }, declaration.name, {
        name: declaration.name,
        declaration,
        has,
        secrets: tool.secrets as unknown as Json,
      });
    },
    toolset: (toolset) =>
      plugin.register({ kind: "toolset", real: toolset }, toolset.name, { name: toolset.name, toolset }),
    provide(slot, provider) {
      if (HERE_ONLY.includes(slot)) throw mustBeHere(key, `it provides a ${slot}`);
      const { id, label, data } = describeProvider(provider);
      return plugin.register({ kind: "provider", real: provider }, `${slot}/${id}`, { slot, id, label, data });
    },
    hook(hook, handler, options) {
      checkHook(key, hook, handler);
      return plugin.register({ kind: "hook", real: handler }, hook, { name: hook, options });
    },
    middleware(kind, middleware) {
      checkMiddleware(key, kind, middleware);
      return plugin.register({ kind: "middleware", real: middleware }, kind, { name: kind });
    },
    command(command: SlashCommand) {
      if (typeof command.run !== "function")
        return refuse(`The slash command ${JSON.stringify(command.name)} needs a name and a run function.`);
      const { name: word, description, argsHint, aliases } = command;
      return plugin.register({ kind: "command", real: command }, word, {
        name: word,
        description,
        args_hint: argsHint ?? "",
        aliases,
        completes: command.complete !== undefined,
      });
    },
    cli(command: CliCommand) {
      if (typeof command.run !== "function") return refuse(`The command "${command.name}" has no run function.`);
      const { run: _, ...declared } = command;
      return plugin.register({ kind: "cli", real: command }, command.name, {
        name: command.name,
        description: command.description,
        declared,
      });
    },
    skill: (skill: PluginSkill) => plugin.register({ kind: "skill", real: skill }, skill.name, skill),
    doctor: (look) => void plugin.register({ kind: "doctor", real: look }, "look", {}),
  };
}

function mustBeHere(key: string, why: string): ToolFailure {
  return new ToolFailure(
    NEEDS_AGENT,
    `The plugin "${key}" has to run inside the agent: ${why}. If it is your own, allow that: hermes config set plugins.entries.${key}.host here`,
  );
}
