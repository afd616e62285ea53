import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "../../contract/services/app.ts";
import { isObject } from "../../contract/common/is-object.ts";

/** What an enabled plugin adds to the dashboard: a page of its own, a look for all pages, or both. */
export interface Part {
  /** Of the plugin. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  /** `dashboard` of the plugin: nothing outside of it is served. */
  readonly folder: string;
  /** Its page. Absent: it has none. */
  readonly page?: {
    readonly entry: string;
    readonly css?: string;
    /** The tab it stands behind: `after:sessions`. */ readonly position: string;
  };
  /** Its look. */
  readonly theme?: { readonly label: string; readonly css: string };
  /** Slash commands of the plugin that its page may run. */
  readonly api: readonly string[];
  /** What of its manifest cannot be used, in sentences. */
  readonly problems: readonly string[];
}

/** The parts of all plugins that run now, by key. */
export async function readParts(app: App): Promise<readonly Part[]> {
  const running = (await app.plugins.list()).filter(({ state }) => state === "enabled");
  const parts = await Promise.all(
    running.map(async ({ key, dir, registered }) => {
      const folder = join(dir, "dashboard");
      const text = await readFile(join(folder, "manifest.json"), "utf8").catch(() => undefined);
      return text === undefined ? [] : [partOf(text, { key, folder, commands: registered.commands })];
    }),
  );
  return parts.flat();
}

/** Never fails: what is wrong is told beside what can be used. */
export function partOf(
  text: string,
  plugin: { readonly key: string; readonly folder: string; readonly commands: readonly string[] },
): Part {
  const problems: string[] = [];
  let data: { readonly [key: string]: unknown } = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) data = parsed;
    else problems.push("dashboard/manifest.json must be a map.");
  } catch (error) {
    problems.push(`dashboard/manifest.json is not JSON: ${(error as Error).message}`);
  }
  const word = (from: { readonly [key: string]: unknown }, key: string): string | undefined => {
    const value = from[key];
    if (value === undefined || typeof value === "string") return value;
    problems.push(`"${key}" of dashboard/manifest.json must be a text.`);
    return undefined;
  };
  const file = (from: { readonly [key: string]: unknown }, key: string, ending: RegExp): string | undefined => {
    const path = word(from, key);
    if (path === undefined || (ending.test(path) && isInside(path))) return path;
    problems.push(
      `"${key}" must be a file of the folder dashboard that ends like ${ending.source.replace(/^.*?\((.*)\).*$/, "$1").replaceAll("|", " or ")}.`,
    );
    return undefined;
  };
  const [entry, css] = [file(data, "entry", /\.(js|mjs)$/), file(data, "css", /\.(css)$/)];
  const tab = isObject(data["tab"]) ? data["tab"] : {};
  const look = isObject(data["theme"]) ? data["theme"] : undefined;
  const lookCss = look === undefined ? undefined : file(look, "css", /\.(css)$/);
  const label = word(data, "label") ?? word(data, "name") ?? plugin.key;
  return {
    key: plugin.key,
    label,
    description: word(data, "description") ?? "",
    folder: plugin.folder,
    page:
      entry === undefined || tab["hidden"] === true
        ? undefined
        : { entry, css, position: word(tab, "position") ?? "end" },
    theme:
      lookCss === undefined
        ? undefined
        : { label: (look === undefined ? undefined : word(look, "label")) ?? label, css: lookCss },
    api: apiOf(data["api"], plugin.commands, problems),
    problems,
  };
}

function apiOf(api: unknown, commands: readonly string[], problems: string[]): readonly string[] {
  if (api === undefined) return [];
  if (!Array.isArray(api)) {
    problems.push('"api" must list slash commands of the plugin; a router written for the original is not run.');
    return [];
  }
  const names = api.map(String);
  for (const name of names)
    if (!commands.includes(name)) problems.push(`"api" names "${name}", which is no slash command of the plugin.`);
  return names.filter((name) => commands.includes(name));
}

/** A relative path that leads nowhere else. */
export function isInside(path: string): boolean {
  return /^[\w@-][\w.@-]*(\/[\w@-][\w.@-]*)*$/.test(path);
}
