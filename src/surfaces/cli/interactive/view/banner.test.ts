import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../../../../contract/services/app.ts";
import { width } from "../../../shared/display/width.ts";
import { Banner, banner } from "./banner.ts";

const plain = (text: string): string => text;
const LONG = "/srv/projects/with/a/very/long/path/to/the/folder";

async function shown(columns: number, plugins: readonly string[]): Promise<readonly string[]> {
  const tool = (name: string, toolset: string, owner: string) => ({
    declaration: { name, toolset },
    owner,
    enabled: true,
    availability: { ok: true },
  });
  const bundled = ["browser", "clarify", "code_execution", "delegation", "file", "memory", "skills", "terminal"];
  const tools = [
    ...bundled.map((name) => tool(name, name, `tool-${name}`)),
    ...plugins.flatMap((name) => [tool("calculate", name, name), tool("unit_convert", name, name)]),
  ];
  const app = {
    version: "1.2.3",
    models: { current: async () => ({ offline: false, model: "large-model-of-the-year", provider: "custom" }) },
    tools: { list: async () => tools },
    plugins: { list: async () => plugins.map((name) => ({ manifest: { name }, source: "user" })) },
  } as unknown as App;
  const view = new Banner();
  view.set(await banner(app, { accent: plain, dim: plain }, LONG));
  const rows = view.render(columns);
  assert.deepEqual([rows[0], rows.at(-1)], ["", ""]);
  for (const row of rows) assert.ok(width(row) <= columns, row);
  return rows.slice(1, -1).map((row) => row.replaceAll("\u001b[0m", "").trim());
}

test("the banner lists the tools of plugins in one line", async () => {
  assert.deepEqual(await shown(100, ["calculator", "metric"]), [
    "☤ Hermes 1.2.3 · large-model-of-the-year by custom",
    `folder ${LONG}`,
    "tools  browser, clarify, code_execution and 5 more (/tools lists them)",
    "calculator: calculate, unit_convert · metric: calculate, unit_convert",
    "/help lists commands and keys · Esc stops a turn · Ctrl-D exits",
  ]);
});

test("the banner has at most five lines on 40 columns, also with plugins", async () => {
  assert.deepEqual(await shown(40, ["calculator", "metric", "weather"]), [
    "☤ Hermes 1.2.3 · large-model-of-the-y…",
    "folder /srv/projects/with/a/very/long…",
    "tools  browser and 7 more (/tools)",
    "calculator: calculate, unit_convert ·…",
    "/help · Esc stops · Ctrl-D exits",
  ]);
  assert.equal((await shown(12, ["calculator"])).length, 5);
});
