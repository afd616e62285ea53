import { pathToFileURL } from "node:url";
import { UserError } from "../../../../contract/failure.ts";
import type { JsonObject } from "../../../../contract/json.ts";
import type { Plugin } from "../../../../contract/plugin.ts";
import { openDoor } from "../../door.ts";

/** A file with `export function handle(event, context)`, as a plugin that has this one handler. */
export async function importHandler(file: string, env: JsonObject): Promise<Plugin> {
  openDoor();
  Object.assign(process.env, env);
  const module = (await import(pathToFileURL(file).href)) as { readonly handle?: unknown; readonly default?: unknown };
  const handle = module.handle ?? module.default;
  if (typeof handle !== "function") throw new UserError(`no handle() function: ${file} exports none`);
  return (ctx) => void ctx.hook("handle" as never, (({ event_type, context }: { readonly event_type: string; readonly context: object }) => handle(event_type, context) as unknown) as never);
}
