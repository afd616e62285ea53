import type { App } from "../../../../contract/services/app.ts";
import { printable } from "../../../shared/display/printable.ts";
import type { Theme } from "./theme.ts";

/** The head of a session: version, model, folder, and the tools by toolset (`calculator: calculate, unit_convert`). */
export async function banner(app: App, theme: Theme, cwd: string): Promise<string> {
  const [model, tools] = await Promise.all([app.models.current(), app.tools.list({ surface: "cli", prompter: true })]);
  const offered = tools.filter(({ enabled, availability }) => enabled && availability.ok);
  const sets = [...Map.groupBy(offered, ({ declaration }) => declaration.toolset)].sort(([a], [b]) =>
    a.localeCompare(b),
  );
  return [
    `${theme.accent("☤ Hermes")} ${theme.dim(app.version)}`,
    `${theme.dim("model")}  ${model.offline ? "none yet; the built-in rules answer" : `${printable(model.model)} ${theme.dim(`by ${model.provider}`)}`}`,
    `${theme.dim("folder")} ${printable(cwd)}`,
    "",
    ...sets.map(
      ([name, members]) => `${theme.dim(`${name}:`)} ${members.map(({ declaration }) => declaration.name).join(", ")}`,
    ),
    "",
    theme.dim("/help lists commands and keys · Esc stops a turn · Ctrl-D exits"),
  ].join("\n");
}
