import type { JsonObject } from "../../src/contract/common/json.ts";
import type { ToolDeclaration } from "../../src/contract/tools/tool.ts";
import { code, page, prose, table, type Page } from "./page.ts";
import type { BundledPlugin } from "./read-snapshot.ts";

export function toolsPage(plugins: readonly BundledPlugin[]): Page {
  const tools = plugins
    .flatMap(({ key, registered }) => registered.tools.map((tool) => ({ tool, owner: key })))
    .sort((left, right) =>
      left.tool.toolset === right.tool.toolset
        ? compare(left.tool.name, right.tool.name)
        : compare(left.tool.toolset, right.tool.toolset),
    );
  return page(
    "tools.md",
    "Built-in tools",
    `${tools.length} tools ship with this version. The effect of a tool decides whether calls run in parallel and what happens after a crash: see [effects](../tools-runtime.md#effects-and-parallel-runs). \`hermes tools list\` shows which of them can run on your machine, and \`hermes tools show NAME\` shows one with its schema.`,
    table(
      ["Tool", "Toolset", "Effect", "What it does"],
      tools.map(({ tool }) => [
        `[\`${tool.name}\`](#${tool.name})`,
        code(tool.toolset),
        effect(tool),
        prose(tool.summary),
      ]),
    ),
    ...tools.map(({ tool, owner }) => section(tool, owner)),
  );
}

function section(tool: ToolDeclaration, owner: string): string {
  const facts = [
    ["toolset", code(tool.toolset)],
    ["effect", effect(tool)],
    ["time limit", `${tool.timeoutMs / 1000} s`],
    [
      "longest result",
      tool.maxResultChars === "unlimited"
        ? "its own limit"
        : `${tool.maxResultChars} characters; Hermes saves a longer result in a file and shows the model its beginning and end`,
    ],
    ["plugin", code(owner)],
    ...(tool.aliases.length === 0 ? [] : [["also called", tool.aliases.map(code).join(", ")]]),
    ...(tool.env.length === 0 ? [] : [["variables", tool.env.map(({ name }) => code(name)).join(", ")]]),
    ...(tool.programs === undefined ? [] : [["programs", tool.programs.map(code).join(", ")]]),
    ...(tool.interactive ? [["needs", "a user who can answer"]] : []),
  ];
  const [first = "", ...rest] = tool.description
    .replace("%tools%", `${(tool.mentions ?? []).join(", ")} (those that are available)`)
    .split("\n");
  const description = rest.length === 0 ? prose(first) : `${prose(first)}\n\n\`\`\`text\n${rest.join("\n")}\n\`\`\``;
  return [
    `## ${tool.name}`,
    `${tool.emoji} ${tool.dynamicDescription ? `${prose(tool.summary)} (The full text depends on the other available tools.)` : description}`,
    facts.map(([name, value]) => `- ${name}: ${value}`).join("\n"),
    argumentTable(tool),
  ].join("\n\n");
}

function argumentTable({ input }: ToolDeclaration): string {
  const properties = Object.entries((input.properties ?? {}) as { readonly [name: string]: JsonObject });
  if (properties.length === 0) return "This tool takes no arguments.";
  const required = new Set((input.required ?? []) as readonly string[]);
  return table(
    ["Argument", "Type", "Required", "Meaning"],
    properties.map(([name, schema]) => [
      code(name),
      typeOf(schema),
      required.has(name) ? "yes" : "",
      prose(typeof schema.description === "string" ? schema.description : ""),
    ]),
  );
}

function typeOf(schema: JsonObject): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => code(String(value))).join(", ");
  if (schema.type === "array") return `list of ${typeOf((schema.items ?? {}) as JsonObject)}`;
  if (schema.type === "object" && schema.properties !== undefined)
    return `map of ${Object.keys(schema.properties as JsonObject)
      .map(code)
      .join(", ")}`;
  return Array.isArray(schema.type)
    ? schema.type.join(" or ")
    : typeof schema.type === "string"
      ? schema.type
      : "anything";
}

function effect(tool: ToolDeclaration): string {
  return tool.effectByCall ? `depends on the arguments of the call; at most \`${tool.effect}\`` : code(tool.effect);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
