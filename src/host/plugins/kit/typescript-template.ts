import { PACKAGE } from "../registry/door.ts";
import type { PluginFiles } from "./plugin-files.ts";
import type { PluginNames } from "./plugin-files.ts";

/** Manifest, schemas, handlers, registration: the guide's four files, plus files for publishing and testing. */
export function typeScriptPlugin({ name, word }: PluginNames): PluginFiles {
  return {
    "plugin.yaml": `name: ${name}
version: 0.1.0
description: Counts the words of a text.
provides_tools: [${word}_count]
provides_hooks: [post_tool_call]
`,
    "schemas.ts": `/** The schema: the model decides by it when to call the tool, and with which arguments. */
export const COUNT = {
  type: "object",
  properties: {
    text: { type: "string", description: "The text whose words are counted" },
    longest: { type: "boolean", description: "Also return the longest word (default: false)" },
  },
  required: ["text"],
} as const;
`,
    "tools.ts": `import { ToolFailure, type FromSchema } from "hermes-agent/plugin";
import type { COUNT } from "./schemas.ts";

export interface Counted {
  readonly words: number;
  readonly longest?: string;
}

/** Runs when the model calls the tool. The type of its input comes from the schema. */
export async function count({ text, longest = false }: FromSchema<typeof COUNT>): Promise<Counted> {
  const words = text.split(/\\s+/).filter((word) => word !== "");
  if (words.length === 0) throw new ToolFailure("bad_arguments", "The text has no words.", { hint: "Give a text with at least one word." });
  return { words: words.length, ...(longest ? { longest: words.reduce((a, b) => (b.length > a.length ? b : a)) } : {}) };
}
`,
    "index.ts": `import { defineTool, type Plugin } from "hermes-agent/plugin";
import { COUNT } from "./schemas.ts";
import { count } from "./tools.ts";

export const ${camel(word)}Count = defineTool({
  name: "${word}_count",
  toolset: "${name}",
  description: "Counts the words of a text exactly. Use it whenever a number of words matters.",
  effect: "none",
  input: COUNT,
  execute: (input) => count(input),
});

/** Registers the tool and the hook. */
const register: Plugin = (ctx) => {
  ctx.tool(${camel(word)}Count);
  ctx.hook("post_tool_call", ({ tool_name, duration_ms }) => {
    ctx.log.debug(\`\${tool_name} took \${Math.round(duration_ms)} ms\`);
  });
};

export default register;
`,
    "package.json": `${JSON.stringify({ name: `hermes-plugin-${name}`, version: "0.1.0", description: "Counts the words of a text.", type: "module", keywords: ["hermes-plugin"], hermes: { plugin: "." }, scripts: { test: "node --test" }, devDependencies: { "hermes-agent": `npm:${PACKAGE}@*` } }, null, 2)}
`,
    "README.md": readme(
      name,
      word,
      `Run \`npm install\`, then \`npm test\` for the unit tests. The package on npm is \`${PACKAGE}\`, installed under the name \`hermes-agent\`.`,
    ),
    "tests/calls.jsonl": calls(word),
    "tests/count.test.ts": `${importing("assert", "node:assert/strict")}
${importing("{ test }", "node:test")}
${importing("{ scriptedModel, testSession }", "hermes-agent/testing")}
${importing(`{ ${camel(word)}Count }`, "../index.ts")}

test("the model counts with the tool and reads the number", async () => {
  const model = scriptedModel([{ calls: [{ tool: "${word}_count", args: { text: "one two three" } }] }, { text: "Three." }]);
  await using bench = await testSession({ model, tools: [${camel(word)}Count] });
  assert.equal((await bench.session.send("how many words?")).text, "Three.");
  assert.deepEqual(model.requests[1]?.messages.at(-1), { role: "tool", results: [{ callId: "call_1_1", tool: "${word}_count", parts: [{ type: "text", text: '{"words":3}' }], failed: false }] });
});
`,
  };
}

/** Calls as a model would make them. \`hermes plugins test\` runs each. */
export function calls(word: string): string {
  return [
    { tool: `${word}_count`, args: { text: "one two three" }, expect: { words: 3 } },
    { tool: `${word}_count`, args: { text: "a longer word", longest: true }, expect: { words: 3, longest: "longer" } },
    { tool: `${word}_count`, args: { text: "  " }, fails: "no words" },
  ]
    .map((call) => `${JSON.stringify(call)}\n`)
    .join("");
}

export function readme(name: string, word: string, tests: string): string {
  return `# ${name}

Counts the words of a text.

| tool | what it does |
|---|---|
| \`${word}_count\` | counts words, returns the longest |

\`\`\`sh
hermes plugins check ${name}     # list its errors and warnings
hermes plugins test ${name}      # run its handlers: recorded calls, faults, refusal, cancel
hermes plugins enable ${name}
hermes plugins dev .             # run it from its folder, and load each change during the conversation
\`\`\`

Calls for \`hermes plugins test\` are the lines of \`tests/calls.jsonl\`. ${tests}
`;
}

/**
 * An import line of the plugin. It is assembled so that the build, which rewrites imports of builtins, leaves it alone.
 */
function importing(names: string, door: string): string {
  return `import ${names} ${"from"} ${JSON.stringify(door)};`;
}

function camel(word: string): string {
  return word.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
