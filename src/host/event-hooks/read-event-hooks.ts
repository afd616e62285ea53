import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import type { Json } from "../../contract/common/json.ts";
import { nearest } from "../../contract/common/nearest.ts";
import type { FoundPlugin } from "../plugins/discovery/discovery.ts";
import { manifestOf } from "../plugins/discovery/manifest.ts";
import { CachedYaml } from "./cached-yaml.ts";

/** A folder `HOOK.yaml` + handler below the home's `hooks`. */
export interface FoundEventHook {
  readonly name: string;
  readonly description: string;
  readonly dir: string;
  readonly events: readonly string[];
  /** Absent: it is not called, and `problem` says why. */
  readonly run?: { readonly plugin: FoundPlugin; readonly file: string };
  readonly problem?: string;
}

export const EVENTS = [
  "gateway:startup",
  "session:start",
  "session:end",
  "session:reset",
  "agent:start",
  "agent:step",
  "agent:end",
  "command:*",
] as const;
const HANDLERS = ["handler.py", "handler.ts", "handler.mjs", "handler.js"];

/** In alphabetical order of their folders. @param cache Where parsed files are kept. */
export async function readEventHooks(folder: string, cache: string): Promise<readonly FoundEventHook[]> {
  let names: readonly string[];
  try {
    names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      !entry.name.startsWith(".") && (entry.isDirectory() || entry.isSymbolicLink()) ? [entry.name] : [],
    );
  } catch (cause) {
    return [
      {
        name: basename(folder),
        description: "",
        dir: folder,
        events: [],
        problem: `its folder cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      },
    ];
  }
  const yaml = new CachedYaml(cache);
  const hooks = await Promise.all(names.toSorted().map((name) => readOne(join(folder, name), name, yaml)));
  yaml.save();
  return hooks;
}

async function readOne(dir: string, folder: string, yaml: CachedYaml): Promise<FoundEventHook> {
  const file = join(dir, "HOOK.yaml");
  const handler = HANDLERS.map((name) => join(dir, name)).find((path) => existsSync(path));
  const lacking = (problem: string): FoundEventHook => ({ name: folder, description: "", dir, events: [], problem });
  if (!existsSync(file)) return lacking("it has no HOOK.yaml");
  try {
    const { data, problems } = await yaml.parse(readFileSync(file, "utf8"));
    if (problems[0] !== undefined)
      throw new UserError(`HOOK.yaml:${problems[0].line}:${problems[0].column}: ${problems[0].text}`);
    // Variables it needs are declared as a plugin's are.
    const known = {
      name: data["name"] ?? folder,
      description: data["description"] ?? "",
      requires_env: data["requires_env"] ?? [],
      optional_env: data["optional_env"] ?? [],
    };
    const { manifest } = manifestOf(known, dir, (path) => `HOOK.yaml: ${path}`);
    const events = eventsIn(data["events"] ?? null);
    const hook = { name: manifest.name, description: manifest.description, dir, events };
    if (events.length === 0) return { ...hook, problem: "it declares no events" };
    if (handler === undefined) return { ...hook, problem: `it has no handler: ${HANDLERS.join(", ")}` };
    const odd = events.find((event) => !isEvent(event));
    const plugin: FoundPlugin = { key: `hooks/${folder}`, source: "user", dir, manifest, files: [] };
    return {
      ...hook,
      run: { plugin, file: handler },
      problem: odd === undefined ? undefined : `there is no event "${odd}"${near(odd)}`,
    };
  } catch (cause) {
    return lacking(cause instanceof Error ? cause.message : String(cause));
  }
}

function eventsIn(value: Json): readonly string[] {
  return (Array.isArray(value) ? (value as readonly Json[]) : value === null ? [] : [value]).map(String);
}

/** `NAMESPACE:*` subscribes to all of it; command names are open, so they are not checked. */
function isEvent(event: string): boolean {
  return (
    (EVENTS as readonly string[]).includes(event) ||
    event.startsWith("command:") ||
    EVENTS.some((known) => event === `${known.split(":")[0]}:*`)
  );
}

function near(event: string): string {
  const meant = nearest(event, EVENTS);
  return meant === undefined ? `; available: ${EVENTS.join(", ")}` : `; did you mean "${meant}"?`;
}
