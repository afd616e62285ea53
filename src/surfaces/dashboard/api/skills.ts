import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import type { Skill } from "../../../contract/plugins/skill.ts";
import type { App } from "../../../contract/services/app.ts";
import { jsonOfCommand, runPluginCommand, type Operations } from "../operations.ts";
import { route, textIn, type Asked, type Route } from "../route.ts";

/** The longest `SKILL.md` that the page shows, in characters. */
const MAX_TEXT = 200_000;

/** Skills: shown from the shelf; `hermes skills` switches, installs and removes them. */
export function skillRoutes(operations: Operations): readonly Route[] {
  const run = (asked: Asked, words: readonly string[]): Promise<number> =>
    runPluginCommand(
      asked.app,
      "skills",
      { words },
      { out() {}, error() {}, interactive: false, signal: asked.signal },
    );
  return [
    route("GET /api/skills", async ({ app, signal }) => {
      const installed = await installedNames(app, signal);
      return (await app.skills.all()).map(({ name, description, category, path, source, hidden, problem }) => ({
        name,
        description,
        category,
        path,
        source,
        off: hidden?.kind === "disabled",
        hidden: hidden?.why,
        problem,
        installed: installed.has(name),
      }));
    }),
    route("GET /api/skills/text", async ({ app, query }) => {
      const { folder } = await skillAt(app, query.get("path") ?? "");
      const text = await readFile(join(folder, "SKILL.md"), "utf8");
      return { folder, text: text.slice(0, MAX_TEXT), cut: text.length > MAX_TEXT };
    }),
    route("POST /api/skills/switch", async (asked) => {
      const { path } = await skillAt(asked.app, textIn(asked.body, "path"));
      await run(asked, [asked.body["on"] === true ? "enable" : "disable", path]);
    }),
    operations.route("POST /api/skills/install", ({ app, body }, { cli }) =>
      runPluginCommand(
        app,
        "skills",
        { words: ["install", ...(body["force"] === true ? ["--force"] : []), "--", textIn(body, "from").trim()] },
        cli,
      ),
    ),
    operations.route("POST /api/skills/uninstall", ({ app, body }, { cli }) =>
      runPluginCommand(app, "skills", { words: ["uninstall", "--", textIn(body, "name")] }, cli),
    ),
  ];
}

async function skillAt(app: App, path: string): Promise<Skill> {
  const skill = (await app.skills.all()).find((one) => one.path === path);
  if (skill === undefined)
    throw new UserError(`There is no skill "${path}".`, { hint: "Load the page again: it may have been removed." });
  return skill;
}

/** The skills that `hermes skills install` fetched, which it can uninstall. */
async function installedNames(app: App, signal: AbortSignal): Promise<ReadonlySet<string>> {
  if (!app.cliCommands.list().some(({ name }) => name === "skills")) return new Set();
  const rows = await jsonOfCommand<readonly { readonly name: string; readonly source: string }[]>(
    app,
    "skills",
    { words: ["list", "--source", "hub", "--json"] },
    signal,
  );
  return new Set(rows.map(({ name }) => name));
}
