import type { AnyTool } from "../../contract/tool.ts";
import type { SkillShelf, SkillWish } from "./view-skill.ts";

/** skill_view: a skill of a plugin, read when it is asked for by its name. */
export function skillTool(shelf: SkillShelf): AnyTool {
  return {
    name: "skill_view",
    toolset: "skills",
    emoji: "📘",
    description: "Loads a skill, instructions for one kind of work, by its name `plugin:skill`. With file_path it loads a file that the skill names.",
    input: {
      type: "object",
      properties: {
        name: { type: "string", description: "plugin:skill" },
        file_path: { type: "string", description: "File of the skill, such as references/api.md" },
      },
      required: ["name"],
    },
    effect: "read",
    execute: async (wish: SkillWish, call) => (await import("./view-skill.ts")).viewSkill(wish, shelf, call.sessionId),
  };
}
