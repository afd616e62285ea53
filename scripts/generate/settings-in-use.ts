import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { splitPath } from "../../src/host/config/setting.ts";
import { ROOT } from "./read-snapshot.ts";

export interface SettingReader {
  /** A setting by its path; `ownerFolder` is the plugin whose section contains it. */
  reads(path: string, ownerFolder: string | undefined): boolean;
  /** A key of the maps that a list or an open map contains. */
  readsInner(key: string): boolean;
  /** Whether the path occurs alone in any code. */
  names(path: string): boolean;
}

const TERMINAL_KIT = "src/terminal/";

interface Source {
  readonly file: string;
  readonly text: string;
}

/**
 * Whether any code reads a setting. A declaration is a promise, so the settings page must not list a setting that no
 * code reads.
 * Code reads a setting by its path, by the map that contains it, or, in a plugin's own section, by its key: there, or
 * in the kit of terminal
 * backends, which receives the section.
 */
export function settingReader(sources: readonly Source[] = allSources()): SettingReader {
  const texts = sources.map(({ file, text }) => ({ file, text: withoutComments(text) }));
  const all = texts.map(({ text }) => text).join("\n");
  return {
    reads,
    readsInner: (key) => quoted(all, key) || new RegExp(`\\$\\{[^}]+\\}\\.${escape(key)}["'\`.]`).test(all),
    names: (path) => new RegExp(`["'\`]${escape(path)}["'\`]`).test(all),
  };

  function reads(path: string, ownerFolder: string | undefined): boolean {
    const keys = splitPath(path);
    if (quoted(all, path)) return true;
    const above = keys.slice(1).map((_, index) => keys.slice(0, index + 1).join("."));
    if (
      above.some((map) =>
        new RegExp(`\\b(config|get|section)\\((?:"${escape(map)}"\\)|\`${escape(map)}\\.\\$\\{)`).test(all),
      )
    )
      return true;
    if (ownerFolder === undefined) return false;
    const own = texts
      .filter(({ file }) => file.startsWith(`plugins/${ownerFolder}/`) || file.startsWith(TERMINAL_KIT))
      .map(({ text }) => text)
      .join("\n");
    const key = escape(keys.at(-1) ?? "");
    return new RegExp(`\\["${key}"\\]|config\\.${key}\\b`).test(own);
  }
}

/** All code except the declarations and tests. */
function allSources(): readonly Source[] {
  const files = globSync(["src/**/*.ts", "plugins/**/*.ts"], { cwd: ROOT }).filter(
    (file) => !/\.test\.ts$|src\/host\/config\/sections\/|\/test\/|\/testing\//.test(file),
  );
  return files.map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));
}

/** A mention in a comment is not a read. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/(^|[\s;{}()])\/\/.*$/gm, "$1");
}

function quoted(text: string, path: string): boolean {
  return new RegExp(`["'\`]${escape(path)}["'\`.]`).test(text);
}

function escape(text: string): string {
  return text.replaceAll(".", "\\.");
}
