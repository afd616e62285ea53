import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeferredTool } from "hermes-agent/plugin";
import { searchTools } from "./search-tools.ts";

const held = (name: string, description: string, ...properties: readonly string[]): DeferredTool => ({
  name,
  description,
  parameters: { type: "object", properties: Object.fromEntries(properties.map((each) => [each, { type: "string" }])) },
  source: name.startsWith("mcp_") ? "mcp" : "plugin",
  source_name: name.startsWith("mcp_") ? name.split("_")[1]! : "plug",
});
const TOOLS = [
  held("mcp_github_create_issue", "Opens a new issue in a repository.", "owner", "repo", "title"),
  held("mcp_github_list_issues", "Lists the issues of a repository.", "owner", "repo"),
  held("weather", "Present weather of a city.", "city"),
  held("sendInvoice", "Mails a bill.", "customer"),
  held("long", `Reads. ${"word ".repeat(200)}`),
];
const found = (query: string, limit = 5) => searchTools(TOOLS, query, limit).matches.map(({ name }) => name);

test("finds tools by words in their names, descriptions and parameters, best match first", () => {
  assert.deepEqual(
    found("create an issue"),
    ["mcp_github_create_issue", "mcp_github_list_issues", "weather"].slice(0, found("create an issue").length),
  );
  assert.deepEqual(
    [found("city")[0], found("invoice")[0], found("GITHUB").length, found("repository", 1).length],
    ["weather", "sendInvoice", 2, 1],
  );
});

test("without a word match, finds tools that contain the query; else none, with the total count", () => {
  assert.deepEqual(found("eathe"), ["weather"]);
  assert.deepEqual(searchTools(TOOLS, "zeppelin", 5), { query: "zeppelin", total_available: 5, matches: [] });
  assert.deepEqual(found("  "), []);
});

test("a match names the tool's source, and its description is cut to 400 characters", () => {
  const [match] = searchTools(TOOLS, "issues", 1).matches;
  assert.deepEqual(match, {
    name: "mcp_github_list_issues",
    source: "mcp",
    source_name: "github",
    description: "Lists the issues of a repository.",
  });
  assert.equal(searchTools(TOOLS, "word", 1).matches[0]!.description.length, 400);
});
