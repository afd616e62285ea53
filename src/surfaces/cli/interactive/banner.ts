import type { App } from "../../../contract/app.ts";
import type { Theme } from "./theme.ts";

/** What a session opens with: version, model, folder, and the tools by toolset. */
export async function banner(app: App, theme: Theme, cwd: string): Promise<string> {
  const [model, tools] = await Promise.all([app.models.current(), app.tools.list({ surface: "cli", person: true })]);
  const offered = tools.filter(({ enabled, availability }) => enabled && availability.ok);
  const sets = [...Map.groupBy(offered, ({ declaration }) => declaration.toolset)].sort(([a], [b]) => a.localeCompare(b));
  const width = Math.max(0, ...sets.map(([name]) => name.length));
  return [
    `${theme.accent("☤ Hermes")} ${theme.dim(app.version)}`,
    `${theme.dim("model")}  ${model.model} ${theme.dim(`by ${model.provider}`)}`,
    `${theme.dim("folder")} ${cwd}`,
    "",
    ...sets.map(([name, members]) => `${theme.dim(name.padEnd(width))}  ${members.map(({ declaration }) => declaration.name).join(", ")}`),
    "",
    theme.dim("/help lists the commands. Ctrl-C stops a turn, twice ends."),
  ].join("\n");
}
