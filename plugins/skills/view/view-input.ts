import type { JsonSchema, StandardSchema } from "hermes-agent/plugin";
import type { SkillQuery } from "./view-skill.ts";

const SHOWN: JsonSchema = {
  type: "object",
  properties: { name: { type: "string" }, file_path: { type: "string" } },
  required: ["name"],
};

/** A call without a name gets the list of skills. Also accepts properties that the schema does not show. */
export const VIEW_INPUT: StandardSchema<SkillQuery> = {
  "~standard": {
    version: 1,
    vendor: "hermes-agent",
    validate(value) {
      const { name = "", ...others } = value as Partial<SkillQuery>;
      const request = { name, ...others };
      const wrong = (["name", "file_path", "path"] as const).find(
        (key) => !["string", "undefined"].includes(typeof request[key]),
      );
      return wrong === undefined ? { value: request } : { issues: [{ message: "must be string", path: [wrong] }] };
    },
    jsonSchema: { input: () => SHOWN },
  },
};
