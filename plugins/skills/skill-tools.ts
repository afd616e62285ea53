import { basename, dirname } from "node:path";
import { defineTool, type AnyTool, type PluginContext } from "hermes-agent/plugin";
import { VIEW_INPUT } from "./view/view-input.ts";

/** skills_list, skill_view, skill_manage and skills_categories. */
export function skillTools(ctx: PluginContext): readonly AnyTool[] {
  return [listTool(ctx), viewTool(ctx), manageTool(ctx), categoriesTool(ctx)];
}

function listTool(ctx: PluginContext): AnyTool {
  return defineTool({
    name: "skills_list",
    title: "List skills",
    toolset: "skills",
    emoji: "📚",
    description: "Lists skills by category.",
    input: { type: "object", properties: { category: { type: "string" } } },
    effect: "read",
    execute: async ({ category }) => (await import("./list-skills.ts")).skillsList(category, ctx.skills),
  });
}

function viewTool(ctx: PluginContext): AnyTool {
  return defineTool({
    name: "skill_view",
    title: "Read skill {name}[ {file_path}]",
    role: "skill",
    toolset: "skills",
    emoji: "📘",
    description: "Loads a skill (or `plugin:skill`), or its file_path.",
    input: VIEW_INPUT,
    effect: "read",
    refusal: { success: false },
    async execute(request, call) {
      const { viewSkill } = await import("./view/view-skill.ts");
      const shown = await viewSkill(request, ctx.skills, call);
      const { noteUse } = await import("./usage.ts");
      // The result for one file does not include the skill's path.
      const path =
        typeof shown["path"] === "string"
          ? dirname(shown["path"])
          : (await ctx.skills.all()).find(
              (skill) =>
                skill.source === "home" && [skill.name, skill.path, basename(skill.path)].includes(request.name),
            )?.path;
      if (path !== undefined) await noteUse(ctx, path, shown["file"] === undefined ? "used" : "viewed");
      return shown;
    },
  });
}

function manageTool(ctx: PluginContext): AnyTool {
  return defineTool({
    name: "skill_manage",
    toolset: "skills",
    emoji: "📝",
    description:
      "Writes skills. After a difficult task ask the user whether to save it, then create; update stale or broken ones. Prefer patch to edit; skill_view before edit.",
    input: {
      type: "object",
      properties: {
        action: { type: "string", enum: ["create", "patch", "edit", "delete", "write_file", "remove_file"] },
        name: { type: "string" },
        content: { type: "string", description: "SKILL.md; frontmatter: name, description" },
        category: { type: "string" },
        old_string: { type: "string" },
        new_string: { type: "string" },
        replace_all: { type: "boolean" },
        file_path: { type: "string", description: "In references, templates, scripts, assets" },
        file_content: { type: "string" },
        absorbed_into: { type: "string" },
      },
      required: ["action", "name"],
    },
    effect: "write",
    refusal: { success: false },
    async assess(input, call) {
      const { action, name, file_path } = input;
      const { riskOfChange } = await import("./manage/manage-skill.ts");
      const file = file_path === undefined ? "" : ` ${file_path}`;
      return {
        touches: [],
        egress: [
          {
            kind: "change",
            what: `the skill ${name}, which later sessions follow (${action}${file})`,
            instructs: true,
          },
        ],
        risk: await riskOfChange(input, ctx.skills, call),
      };
    },
    async execute(input, call) {
      const { manageSkill } = await import("./manage/manage-skill.ts");
      const { noteUse } = await import("./usage.ts");
      return manageSkill(input, ctx.skills, call, async (path) => {
        // Changes that the user makes by hand are not the agent's.
        if (input.action !== "create" || call.by !== "person")
          await noteUse(
            ctx,
            path,
            input.action === "create" ? "created" : input.action === "delete" ? "deleted" : "patched",
          );
      });
    },
  });
}

/** Of the founding document: a tool for those who ask for it, in no platform's list. */
function categoriesTool(ctx: PluginContext): AnyTool {
  return defineTool({
    name: "skills_categories",
    toolset: "skills",
    emoji: "🗂️",
    description: "Names of the categories of skills.",
    input: { type: "object", properties: {} },
    effect: "read",
    execute: async () => (await import("./list-skills.ts")).skillsCategories(ctx.skills),
  });
}
