import type { CliIo, Plugin, PluginContext } from "hermes-agent/plugin";
import { skillTools } from "./skill-tools.ts";

/** skills_list, skill_view, skill_manage; `hermes skills` and `/skills`. */
const register: Plugin = (ctx) => {
  for (const tool of skillTools(ctx)) ctx.tool(tool);
  addSkillsCommands(ctx);
  addCuratorCommands(ctx);
};

function addSkillsCommands(ctx: PluginContext): void {
  ctx.command({
    name: "skills",
    description: "List and manage skills",
    argsHint: "[list|inspect|audit|…]",
    cliOnly: true,
    run: async (args, call) => (await import("./command/skills-commands.ts")).slash(args, call, ctx),
    complete: async () => (await import("./command/skills-commands.ts")).completions(),
  });
  ctx.cli({
    name: "skills",
    description: "Manage skills: list, inspect, install, publish, switch, scan, restore",
    input: { type: "object", properties: { words: { type: "array", items: { type: "string" } } } },
    raw: true,
    help:
      "list [--source S] [--enabled-only] [--json] | search WORDS [--source SOURCE|REPO] [--limit N] [--json] | inspect WHAT | install FROM [--category C] [--name NAME] [--force] [--yes] | uninstall NAME | " +
      "tap list|add|remove REPO | publish NAME --repo REPO [--branch B] [--yes] | snapshot export|import FILE [--force] | audit [NAME] | enable|disable NAME [--platform P] | history [NAME] | restore ID | reset NAME [--restore] [--yes]",
    run: async ({ words }: { readonly words: readonly string[] }, io: CliIo) =>
      (await import("./command/skills-commands.ts")).cli(words, io, ctx),
  });
}

function addCuratorCommands(ctx: PluginContext): void {
  ctx.command({
    name: "curator",
    description: "Maintain the skills that the agent created",
    argsHint: "[status|run|pause|resume|pin|unpin|restore]",
    run: async (args, call) => (await import("./curator/curator-commands.ts")).slash(args, call, ctx),
    complete: async () => (await import("./curator/curator-commands.ts")).completions(),
  });
  ctx.cli({
    name: "curator",
    description: "Archive and restore skills that the agent created",
    input: { type: "object", properties: { words: { type: "array", items: { type: "string" } } } },
    raw: true,
    help: "status | run [--dry-run] [--consolidate] | pause | resume | pin NAME | unpin NAME | restore NAME",
    hourly: { words: ["run", "--if-due"] },
    run: async ({ words }: { readonly words: readonly string[] }, io: CliIo) =>
      (await import("./curator/curator-commands.ts")).cli(words, io, ctx),
  });
}

export default register;
