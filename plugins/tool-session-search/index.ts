import { defineTool, type JsonSchema, type Plugin, type StandardSchema } from "hermes-agent/plugin";
import type { SearchInput, SearchOutput } from "./use-session-search.ts";

const SHOWN: JsonSchema = {
  type: "object",
  properties: {
    query: { type: "string" },
    session_id: { type: "string" },
    around_message_id: { type: "integer" },
    window: { type: "integer" },
    limit: { type: "integer" },
    sort: { type: "string", enum: ["newest", "oldest"] },
    role_filter: { type: "string" },
  },
};

/** Ignores unusable values instead of refusing them. */
const INPUT: StandardSchema<SearchInput> = {
  "~standard": {
    version: 1,
    vendor: "hermes-agent",
    validate: (value) => ({ value: value as SearchInput }),
    jsonSchema: { input: () => SHOWN },
  },
};

/** session_search: finds and reads earlier conversations. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "session_search",
      title: "Search sessions[ for {query}]",
      toolset: "session_search",
      emoji: "🔎",
      description:
        "Finds earlier conversations by words; without query, lists the latest; with session_id, reads one. Use when the user refers to one.",
      input: INPUT,
      effect: "read",
      async execute(input, call): Promise<SearchOutput> {
        const { useSessionSearch } = await import("./use-session-search.ts");
        return useSessionSearch(input, call, ctx);
      },
      // Text after untrusted content may be influenced by it, in this session as in that one.
      toModel: (output) => [
        {
          type: "text",
          text: JSON.stringify(output),
          from:
            output.untrusted === undefined
              ? undefined
              : {
                  trust: "foreign",
                  owner: ctx.id,
                  tool: "session_search",
                  source: `earlier sessions with content from ${output.untrusted.join(", ")}`,
                },
        },
      ],
    }),
  );
};

export default register;
