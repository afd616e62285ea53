import { pathToFileURL } from "node:url";
import { UserError } from "../../../contract/common/failure.ts";
import type { Plugin } from "../../../contract/plugins/plugin.ts";
import { freshUrl, openDoor } from "./door.ts";

/** How often each entry module was imported by this process. */
const imports = new Map<string, number>();

/**
 * Imports a plugin's entry module, fresh if it was imported before.
 * @param bundled It shares chunks with the rest of the build, so it is never loaded twice, and resolves the public
 * entry point directly.
 */
export async function importRegister(file: string, bundled: boolean): Promise<Plugin> {
  const module = (await importModule(file, bundled)) as { readonly default?: unknown; readonly register?: unknown };
  const register = module.register ?? module.default;
  if (typeof register !== "function")
    throw new UserError(`no register() function: ${file} exports neither "register" nor a default function`);
  return register as Plugin;
}

/** A module of a plugin; its current code. */
export async function importModule(file: string, bundled = false): Promise<object> {
  if (!bundled) openDoor();
  const url = pathToFileURL(file).href;
  const count = imports.get(url) ?? 0;
  imports.set(url, count + 1);
  return (await import(count === 0 || bundled ? url : freshUrl(url, count))) as object;
}
