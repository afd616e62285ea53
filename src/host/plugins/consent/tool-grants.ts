import type { Json } from "../../../contract/common/json.ts";
import type { SettingsEdit } from "../../config/settings-edit.ts";

/** A plugin from elsewhere, and the tools that its manifest requests: the user agreed to those at the installation. */
export interface CallingPlugin {
  readonly key: string;
  readonly declared: readonly string[];
}

/** The user's decisions about the tools that a plugin from elsewhere may call. */
export interface ToolGrants {
  readonly allowed: readonly string[];
  readonly never: readonly string[];
}

type ReadConfig = (path: string) => Json | undefined;

/** `never` overrides what the manifest requests and what the user allowed before. */
export function toolGrantsOf({ key, declared }: CallingPlugin, config: ReadConfig): ToolGrants {
  const never = namesAt(config, neverPath(key));
  const allowed = [...new Set([...declared, ...namesAt(config, allowedPath(key))])];
  return { allowed: allowed.filter((tool) => !never.includes(tool)), never };
}

/** The settings after a decision. `ask` forgets it: the next call asks again, for a declared tool it becomes `never`. */
export function decisionEdits(
  { key, declared }: CallingPlugin,
  tools: readonly string[],
  decision: "allow" | "never" | "ask",
): readonly SettingsEdit[] {
  const never = tools.filter((tool) => decision === "never" || (decision === "ask" && declared.includes(tool)));
  return [
    {
      kind: "list",
      path: allowedPath(key),
      ...(decision === "allow" ? { add: tools.filter((tool) => !declared.includes(tool)) } : { remove: tools }),
    },
    { kind: "list", path: neverPath(key), add: never, remove: tools.filter((tool) => !never.includes(tool)) },
  ];
}

/** The settings without any decision about a plugin that is removed. */
export function forgetEdits(key: string): readonly SettingsEdit[] {
  return [allowedPath(key), neverPath(key), `plugins.entries.${key}.allow_tool_override`].map((path) => ({
    kind: "unset",
    path,
  }));
}

/** Why a plugin may not call a tool, with the command that grants it. */
export function toolDenied(key: string, tool: string, why: string): string {
  const name = /\s/.test(key) ? JSON.stringify(key) : key;
  return `The plugin "${key}" may not call the tool "${tool}": ${why}. To allow it, the user runs: hermes plugins grant ${name} ${tool} (and /reload where Hermes is running)`;
}

function allowedPath(key: string): string {
  return `plugins.entries.${key}.allow_tools`;
}

function neverPath(key: string): string {
  return `plugins.entries.${key}.deny_tools`;
}

function namesAt(config: ReadConfig, path: string): readonly string[] {
  const names = config(path);
  return Array.isArray(names) ? (names as readonly Json[]).map(String) : [];
}
