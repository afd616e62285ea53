import type { App } from "../../../../contract/services/app.ts";
import { homePath } from "../../../shared/display/home-path.ts";
import { printable } from "../../../shared/display/printable.ts";
import type { Theme } from "./theme.ts";

/**
 * The head of a session: version, model, folder, toolsets and what to try. It lists the tools of plugins that the user
 * installed (`calculator: calculate, unit_convert`); `/tools` lists all.
 */
export async function banner(app: App, theme: Theme, cwd: string): Promise<string> {
  const { accent, dim } = theme;
  const [model, tools, plugins] = await Promise.all([
    app.models.current(),
    app.tools.list({ surface: "cli", prompter: true }),
    app.plugins.list(),
  ]);
  const installed = new Set(plugins.flatMap(({ manifest, source }) => (source === "bundled" ? [] : manifest.name)));
  const offered = tools.filter(({ enabled, availability }) => enabled && availability.ok);
  const sets = [...Map.groupBy(offered, ({ declaration }) => declaration.toolset)].sort(([a], [b]) =>
    a.localeCompare(b),
  );
  const isBundled = ([, members]: (typeof sets)[number]): boolean => !members.some(({ owner }) => installed.has(owner));
  const bundled = sets.filter(isBundled).map(([name]) => name);
  return [
    `${accent("☤ Hermes")} ${dim(app.version)}`,
    `${dim("model")}  ${model.offline ? "none yet; the built-in rules answer" : `${printable(model.model)} ${dim(`by ${model.provider}`)}`}`,
    `${dim("folder")} ${printable(homePath(cwd))}`,
    `${dim("tools")}  ${enumerated(bundled)} ${dim("(/tools lists them)")}`,
    ...sets
      .filter((set) => !isBundled(set))
      .map(([name, members]) => `${dim(`${name}:`)} ${members.map(({ declaration }) => declaration.name).join(", ")}`),
    dim("/help lists commands and keys · Esc stops a turn · Ctrl-D exits"),
  ].join("\n");
}

/** The names, as many as fit on a line of 80 columns. */
function enumerated(names: readonly string[]): string {
  const shown: string[] = [];
  for (const name of names) {
    if ([...shown, name].join(", ").length > 40) break;
    shown.push(name);
  }
  const left = names.length - shown.length;
  return `${shown.join(", ")}${left === 0 ? "" : ` and ${left} more`}`;
}
