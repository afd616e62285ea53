import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { App } from "../../contract/services/app.ts";
import { isObject } from "../../contract/common/is-object.ts";

/** The dashboard part of an enabled plugin: a page, a theme for all pages, or both. */
export interface Part {
  /** Key of the plugin. */
  readonly key: string;
  readonly label: string;
  readonly description: string;
  /** The plugin's folder `dashboard`; no file outside of it is served. */
  readonly folder: string;
  /** Absent: the plugin has no page. */
  readonly page?: {
    readonly entry: string;
    readonly css?: string;
    /** The tab after which it is placed: `after:sessions`. */ readonly position: string;
  };
  /** Absent: the plugin has no theme. */
  readonly theme?: { readonly label: string; readonly css: string };
  /** Slash commands of the plugin that its page may run. */
  readonly api: readonly string[];
  /** Errors in its manifest, as sentences. */
  readonly problems: readonly string[];
}

/** The parts of all running plugins, by key. */
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

/** Never throws: reports errors next to the usable fields. */
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
    problems.push(`"${key}" in dashboard/manifest.json must be a string.`);
    return undefined;
  };
  const file = (from: { readonly [key: string]: unknown }, key: string, ending: RegExp): string | undefined => {
    const path = word(from, key);
    if (path === undefined || (ending.test(path) && isInside(path))) return path;
    problems.push(
      `"${key}" must be a file in the folder dashboard with the extension ${ending.source.replace(/^.*?\((.*)\).*$/, "$1").replaceAll("|", " or ")}.`,
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
    problems.push('"api" must list slash commands of the plugin; routers written for the original are not supported.');
    return [];
  }
  const names = api.map(String);
  for (const name of names)
    if (!commands.includes(name)) problems.push(`"api" names "${name}", which is not a slash command of the plugin.`);
  return names.filter((name) => commands.includes(name));
}

/** Whether a relative path stays in its folder. */
export function isInside(path: string): boolean {
  return /^[\w@-][\w.@-]*(\/[\w@-][\w.@-]*)*$/.test(path);
}
