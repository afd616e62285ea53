import { HOOK_KINDS, type HookName } from "../../contract/plugins/hook.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import { nearest } from "../../contract/common/nearest.ts";
import { splitCommand } from "./split-command.ts";

/** A command of the user that runs at a hook. */
export interface ShellHook {
  readonly event: HookName;
  /** The command exactly as written in config.yaml: the user's consent is for this text. */
  readonly command: string;
  /**
   * `shell`: the list form, a line for the shell with `{tool_name}`. `words`: the mapping form, a program and its
   * arguments.
   */
  readonly form: "shell" | "words";
  /** Tools it is for, in words. */
  readonly tools?: string;
  wants(tool: string): boolean;
  readonly timeoutMs: number;
  /** A guard that cannot answer refuses. False lets the call go on. */
  readonly failClosed: boolean;
}

const EVENTS = Object.keys(HOOK_KINDS) as readonly HookName[];
const TOOL_EVENTS: readonly HookName[] = ["pre_tool_call", "post_tool_call", "transform_tool_result"];
/** Keys of the mapping that name no event. */
const NO_EVENTS = ["output_spill", "outbound"];
const TIMEOUT_S = 60;
const MAX_TIMEOUT_S = 300;

/**
 * Reads `hooks` of config.yaml: a list of `event`, `command`, `when`, or the original's map of events, which may also
 * be a list item. Invalid entries are ignored and reported.
 */
export function readShellHooks(value: Json | undefined): {
  readonly hooks: readonly ShellHook[];
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const hooks: ShellHook[] = [];
  const take = (entry: Json, event: Json | undefined, form: ShellHook["form"], place: string): void => {
    const read = readEntry(entry, event, form, place, (problem) => problems.push(problem));
    if (
      read !== undefined &&
      !hooks.some((hook) => hook.event === read.event && hook.command === read.command && hook.tools === read.tools)
    )
      hooks.push(read);
  };
  const takeMap = (map: JsonObject, place: string): void => {
    for (const [event, entries] of Object.entries(map)) {
      if (NO_EVENTS.includes(event) || entries === null) continue;
      if (!Array.isArray(entries)) problems.push(`${place}.${event} must be a list of hooks; it is ignored.`);
      else (entries as readonly Json[]).forEach((entry, at) => take(entry, event, "words", `${place}.${event}[${at}]`));
    }
  };
  if (isObject(value)) takeMap(value, "hooks");
  if (Array.isArray(value)) {
    for (const [at, entry] of (value as readonly Json[]).entries()) {
      if (
        isObject(entry) &&
        entry["event"] === undefined &&
        entry["command"] === undefined &&
        Object.values(entry).some(Array.isArray)
      )
        takeMap(entry, `hooks[${at}]`);
      else take(entry, isObject(entry) ? entry["event"] : undefined, "shell", `hooks[${at}]`);
    }
  }
  return { hooks, problems };
}

function readEntry(
  entry: Json,
  event: Json | undefined,
  form: ShellHook["form"],
  place: string,
  problem: (text: string) => void,
): ShellHook | undefined {
  const leftOut = (why: string, help = ""): undefined => void problem(`${place} ${why} and is ignored.${help}`);
  if (!isObject(entry)) return leftOut("is not a map with a command");
  const name = EVENTS.find((known) => known === event);
  if (name === undefined) {
    const near = nearest(String(event ?? ""), EVENTS);
    return leftOut(
      event === undefined ? "names no event" : `names the event "${String(event)}", which does not exist,`,
      near === undefined ? ` Available: ${EVENTS.join(", ")}.` : ` Did you mean "${near}"?`,
    );
  }
  const command = typeof entry["command"] === "string" ? entry["command"].trim() : "";
  if (command === "") return leftOut("has no command");
  try {
    if (form === "words") splitCommand(command);
  } catch (cause) {
    return leftOut(`has a command that cannot be read (${(cause as Error).message})`);
  }
  const filter = readFilter(entry);
  if (filter !== undefined && !TOOL_EVENTS.includes(name))
    problem(`${place} has a matcher for tools, but ${name} has no tool; the hook always runs.`);
  const ofTools = TOOL_EVENTS.includes(name) ? filter : undefined;
  return {
    event: name,
    command,
    form,
    tools: ofTools?.text,
    wants: ofTools?.wants ?? (() => true),
    timeoutMs: timeoutOf(entry["timeout"]) * 1000,
    failClosed: (entry["fail_closed"] ?? entry["failClosed"]) !== false,
  };
}

interface Filter {
  readonly text: string;
  wants(tool: string): boolean;
}

/** `when.tools` is a list of names, `matcher` a pattern for the whole name. */
function readFilter(entry: JsonObject): Filter | undefined {
  const when = isObject(entry["when"]) ? entry["when"]["tools"] : undefined;
  const names =
    typeof when === "string" ? [when] : Array.isArray(when) ? (when as readonly Json[]).map(String) : undefined;
  if (names !== undefined) return { text: names.join(", "), wants: (tool) => names.includes(tool) };
  const matcher = typeof entry["matcher"] === "string" ? entry["matcher"].trim() : "";
  if (matcher === "") return undefined;
  try {
    const pattern = new RegExp(`^(?:${matcher})$`);
    return { text: `/${matcher}/`, wants: (tool) => pattern.test(tool) };
  } catch {
    return { text: matcher, wants: (tool) => tool === matcher }; // As the original takes what is no pattern.
  }
}

function timeoutOf(value: Json | undefined): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1
    ? Math.min(value, MAX_TIMEOUT_S)
    : TIMEOUT_S;
}
