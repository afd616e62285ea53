import { truncateToWidth, type Component } from "@earendil-works/pi-tui";
import type { App } from "../../../../contract/services/app.ts";
import { homePath } from "../../../shared/display/home-path.ts";
import { printable } from "../../../shared/display/printable.ts";
import { width as columnsOf } from "../../../shared/display/width.ts";
import type { Theme } from "./theme.ts";

/** The rows of the banner for a number of columns. They may be longer. */
export type BannerRows = (columns: number) => readonly string[];

/** Shows the rows of a banner, each cut to one line, with an empty line above and below. */
export class Banner implements Component {
  #rows: BannerRows = () => [];

  set(rows: BannerRows): void {
    this.#rows = rows;
  }

  render(width: number): string[] {
    const columns = Math.max(1, width - 2);
    // The library measures `☤` with its expression for emoji, whose compilation takes 10 ms of the start.
    const fitted = (row: string): string => (columnsOf(row) <= columns ? row : truncateToWidth(row, columns, "…"));
    return ["", ...this.#rows(columns).map((row) => ` ${fitted(row)}`), ""];
  }

  invalidate(): void {}
}

/** Below this, hints are shorter. */
const WIDE_COLUMNS = 64;

/**
 * The head of a session: version, model, folder, toolsets and what to try. One line lists the tools of plugins that the
 * user installed (`calculator: calculate, unit_convert`); `/tools` lists all.
 */
export async function banner(
  app: Pick<App, "models" | "tools" | "plugins" | "version">,
  theme: Pick<Theme, "accent" | "dim">,
  cwd: string,
): Promise<BannerRows> {
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
  const added = sets
    .filter((set) => !isBundled(set))
    .map(([name, members]) => `${dim(`${name}:`)} ${members.map(({ declaration }) => declaration.name).join(", ")}`);
  const named = model.offline
    ? "no model yet; the built-in rules answer"
    : `${printable(model.model)} ${dim(`by ${model.provider}`)}`;

  return (columns) => {
    const wide = columns >= WIDE_COLUMNS;
    const hint = wide ? "(/tools lists them)" : "(/tools)";
    return [
      `${accent("☤ Hermes")} ${dim(`${app.version} ·`)} ${named}`,
      `${dim("folder")} ${printable(homePath(cwd))}`,
      `${dim("tools")}  ${enumerated(bundled, columns - `tools   and 99 more ${hint}`.length)} ${dim(hint)}`,
      ...(added.length === 0 ? [] : [added.join(dim(" · "))]),
      dim(
        wide ? "/help lists commands and keys · Esc stops a turn · Ctrl-D exits" : "/help · Esc stops · Ctrl-D exits",
      ),
    ];
  };
}

/** The names, as many as fit. */
function enumerated(names: readonly string[], columns: number): string {
  const shown: string[] = [];
  for (const name of names) {
    if ([...shown, name].join(", ").length > Math.min(40, columns)) break;
    shown.push(name);
  }
  const left = names.length - shown.length;
  if (shown.length === 0) return `${left} toolsets`;
  return `${shown.join(", ")}${left === 0 ? "" : ` and ${left} more`}`;
}
