import assert from "node:assert/strict";
import { test } from "node:test";
import { refusals } from "../../../src/testing/index.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

const PLUGIN = `
export default (ctx) => ctx.tool({
  name: "odd_shapes", toolset: "odd", description: "Has every odd schema.", effect: "none",
  input: {
    type: "object",
    properties: {
      "文件 名": { type: ["string", "null"] },
      kind: { enum: ["a", "b"] },
      only: { const: "x" },
      node: { $ref: "#/$defs/node" },
      list: { type: "array" },
      either: { oneOf: [{ type: "integer" }, { type: "string" }] },
      map: { type: "object", additionalProperties: { type: "string" } },
      any: true,
    },
    required: ["文件 名"],
    $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
  },
  execute: async (input) => "got " + input["文件 名"],
});
`;

// field: M02
test("a service as strict as Kimi's accepts the default tools and a plugin's odd schema, and the tool gets its own names", async () => {
  using user = new NewUser();
  user.write("~/.hermes/plugins/odd/plugin.yaml", "name: odd\nversion: 1.0.0\n");
  user.write("~/.hermes/plugins/odd/index.ts", PLUGIN);
  const refused: string[] = [];
  await using server = await startOpenAiServer(({ body }, number) => {
    const { tools } = JSON.parse(body) as {
      readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[];
    };
    for (const { function: tool } of tools)
      for (const reason of refusals("moonshot", tool.parameters)) refused.push(`${tool.name}: ${reason}`);
    if (refused.length > 0)
      return { status: 400, message: `Invalid request: tools.function.parameters: ${refused[0]}` };
    return number === 1
      ? { calls: [{ tool: "odd_shapes", args: { arg: "report" } }] }
      : { text: body.includes("got report") ? "It works." : body.slice(-300) };
  });
  user.connect("custom", server.url, "plugins:\n  enabled: [odd]\n");
  const { status, out, err } = await user.run(["chat", "-Q", "-q", "try it"]);
  assert.deepEqual(refused, []);
  assert.deepEqual([status, out], [0, "It works.\n"], err);
});
