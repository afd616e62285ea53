import { pathToFileURL } from "node:url";
import { UserError } from "../../../contract/common/failure.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { Plugin } from "../../../contract/plugins/plugin.ts";
import { freshUrl, openDoor } from "../../../host/plugins/registry/door.ts";

/** How often each handler was imported by this process. */
const imports = new Map<string, number>();

/** A file with `export function handle(event, context)`, as a plugin that has only this handler. */
export async function importHandler(file: string, env: JsonObject): Promise<Plugin> {
  openDoor();
  Object.assign(process.env, env);
  const url = pathToFileURL(file).href;
  const count = imports.get(url) ?? 0;
  imports.set(url, count + 1);
  const module = (await import(count === 0 ? url : freshUrl(url, count))) as {
    readonly handle?: unknown;
    readonly default?: unknown;
  };
  const handle = module.handle ?? module.default;
  if (typeof handle !== "function") throw new UserError(`no handle() function: ${file} exports none`);
  return (ctx) =>
    void ctx.hook(
      "handle" as never,
      (({ event_type, context }: { readonly event_type: string; readonly context: object }) =>
        handle(event_type, context) as unknown) as never,
    );
}
