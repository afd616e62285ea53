import { defineTool, type Plugin } from "hermes-agent/plugin";

/** skills_list, skill_view, skill_manage; `hermes skills` and `/skills`. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "skills_list",
      toolset: "skills",
      emoji: "📚",
      description: "Lists skills: names and descriptions by category.",
      input: { type: "object", properties: { category: { type: "string" } } },
      effect: "read",
      execute: async ({ category }) => (await import("./list-skills.ts")).skillsList(category, ctx.skills),
    }),
  );

  ctx.tool(
    defineTool({
      name: "skill_view",
      toolset: "skills",
      emoji: "📘",
      description: "Loads a skill by its name or `plugin:skill`; with file_path a file of it.",
      input: {
        type: "object",
        properties: { name: { type: "string" }, file_path: { type: "string", description: "Such as references/api.md" } },
        required: ["name"],
      },
      effect: "read",
      execute: async (wish, call) => (await import("./view/view-skill.ts")).viewSkill(wish, ctx.skills, call),
    }),
  );
};

export default register;
