import { createHash } from "node:crypto";
import { UserError } from "../../contract/common/failure.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json } from "../../contract/common/json.ts";
import { nearest } from "../../contract/common/nearest.ts";

/** The toolsets that an item gets, each with its own probability. */
export interface Distribution {
  readonly description: string;
  /** Toolset or single tool, and the percentage of items that get it. */
  readonly toolsets: { readonly [name: string]: number };
}

const all = (percent: number): Distribution["toolsets"] => ({
  web: percent,
  vision: percent,
  image_gen: percent,
  terminal: percent,
  file: percent,
  browser: percent,
});

const BUILT_IN: { readonly [name: string]: Distribution } = {
  default: { description: "All toolsets, for every item", toolsets: all(100) },
  image_gen: {
    description: "Create and view images",
    toolsets: { image_gen: 90, vision: 90, web: 55, terminal: 45 },
  },
  research: { description: "Read the web", toolsets: { web: 90, browser: 70, vision: 50, terminal: 10 } },
  science: {
    description: "Read and compute",
    toolsets: { web: 94, terminal: 94, file: 94, vision: 65, browser: 50, image_gen: 15 },
  },
  development: {
    description: "Run commands and edit files",
    toolsets: { terminal: 80, file: 80, web: 30, vision: 10 },
  },
  safe: {
    description: "No commands and no file writes",
    toolsets: { web: 80, browser: 70, vision: 60, image_gen: 60 },
  },
  balanced: { description: "Each toolset for half of the items", toolsets: all(50) },
  minimal: { description: "Only the web", toolsets: { web: 100 } },
  terminal_only: { description: "Only commands and files", toolsets: { terminal: 100, file: 100 } },
  terminal_web: { description: "Commands, files and the web", toolsets: { terminal: 100, file: 100, web: 100 } },
  creative: { description: "Mainly images", toolsets: { image_gen: 90, vision: 90, web: 30 } },
  reasoning: { description: "Read, and use files for notes", toolsets: { web: 90, file: 60, terminal: 20 } },
  browser_use: { description: "Mainly the browser", toolsets: { browser: 100, web: 80, vision: 70 } },
  browser_only: { description: "Only the browser", toolsets: { browser: 100 } },
  browser_tasks: {
    description: "The browser, with few other tools",
    toolsets: { browser: 97, vision: 12, terminal: 15 },
  },
  terminal_tasks: {
    description: "Mainly commands and files, and the web",
    toolsets: { terminal: 97, file: 97, web: 97, browser: 75, vision: 50, image_gen: 10 },
  },
  mixed_tasks: {
    description: "Browser, commands and files",
    toolsets: { browser: 92, terminal: 92, file: 92, web: 35, vision: 15, image_gen: 15 },
  },
};

/**
 * The built-in distributions and those of `batch.distributions`, merged by name.
 * @throws {UserError} for an invalid percentage.
 */
export function distributions(setting: Json | undefined): ReadonlyMap<string, Distribution> {
  const table = new Map(Object.entries(BUILT_IN));
  for (const [name, value] of Object.entries(isObject(setting) ? setting : {})) {
    const { description, toolsets } = isObject(value) ? value : {};
    const chances = Object.entries(isObject(toolsets) ? toolsets : {}).map(([toolset, percent]) => {
      if (typeof percent !== "number" || percent < 0 || percent > 100)
        throw new UserError(`batch.distributions.${name}.toolsets.${toolset} is not a percentage.`, {
          hint: "0 to 100.",
          exitCode: 78,
        });
      return [toolset, percent] as const;
    });
    const there = table.get(name);
    table.set(name, {
      description: typeof description === "string" ? description : (there?.description ?? name),
      toolsets: { ...there?.toolsets, ...Object.fromEntries(chances) },
    });
  }
  return table;
}

/** @throws {UserError} naming the most similar distribution. */
export function distributionNamed(name: string, table: ReadonlyMap<string, Distribution>): Distribution {
  const found = table.get(name);
  if (found !== undefined) return found;
  const near = nearest(name, [...table.keys()]);
  throw new UserError(`There is no distribution "${name}".`, {
    hint: `${near === undefined ? "" : `Did you mean "${near}"? `}Run "hermes batch distributions" for a list.`,
    exitCode: 2,
  });
}

/**
 * Draws the toolsets of an item: equal for equal seed and item, in any order. If none is drawn, takes the most
 * probable.
 */
export function draw({ toolsets }: Distribution, seed: string, item: string): readonly string[] {
  const chances = Object.entries(toolsets).filter(([, percent]) => percent > 0);
  const drawn = chances
    .filter(([toolset, percent]) => fraction(`${seed}\n${item}\n${toolset}`) * 100 < percent)
    .map(([toolset]) => toolset);
  if (drawn.length > 0) return drawn;
  return chances
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 1)
    .map(([toolset]) => toolset);
}

function fraction(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32;
}
