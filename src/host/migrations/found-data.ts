import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { objectOf } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { MigrationSource } from "../../contract/services/migration-service.ts";
import { parseEnvFile } from "../environment/env-file.ts";
import { tomlTables } from "./toml-tables.ts";

/** What another agent has, in its own words. */
export interface FoundData {
  readonly skills: readonly { readonly name: string; readonly folder: string }[];
  readonly servers: readonly { readonly name: string; readonly settings: JsonObject }[];
  /** Notes about the user and the work: entries. */
  readonly memories: readonly { readonly target: "USER.md" | "MEMORY.md"; readonly text: string }[];
  /** The user's instructions for every session. */
  readonly rules: readonly { readonly name: string; readonly text: string }[];
  /** Who the agent is. */
  readonly soul: string | undefined;
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
}

/** The usual folder of each agent, below the user's home directory. */
export const FOLDERS: { readonly [Source in MigrationSource]: readonly string[] } = {
  openclaw: [".openclaw", ".clawdbot", ".moltbot"],
  "claude-code": [".claude"],
  codex: [".codex"],
};

export function findData(source: MigrationSource, folder: string): FoundData {
  if (source === "openclaw") return openClaw(folder);
  return source === "codex" ? codex(folder) : claudeCode(folder);
}

function openClaw(folder: string): FoundData {
  const settings = json5(textOf(join(folder, "openclaw.json")) ?? textOf(join(folder, "clawdbot.json")) ?? "");
  const named = objectOf(objectOf(objectOf(settings["agents"])["defaults"]))["workspace"];
  const usual = join(folder, "workspace");
  const workspace = typeof named === "string" && !named.startsWith("~") && existsSync(named) ? named : usual;
  const memory = textOf(join(workspace, "MEMORY.md")) ?? textOf(join(workspace, "memory.md"));
  const user = textOf(join(workspace, "USER.md"));
  const rules = textOf(join(workspace, "AGENTS.md"));
  const channels = objectOf(settings["channels"]);
  const token = (name: string, key: string): Json | undefined => objectOf(channels[name])[key];
  return {
    skills: [...skillsIn(join(workspace, "skills")), ...skillsIn(join(folder, "skills"))],
    servers: serversOf(objectOf(settings["mcp"])["servers"] ?? settings["mcpServers"]),
    memories: [
      ...(user === undefined ? [] : [{ target: "USER.md" as const, text: user }]),
      ...(memory === undefined ? [] : [{ target: "MEMORY.md" as const, text: memory }]),
    ],
    rules: rules === undefined ? [] : [{ name: "openclaw", text: rules }],
    soul: textOf(join(workspace, "SOUL.md")),
    secrets: [
      ...envSecrets(join(folder, ".env")),
      ...[
        ["TELEGRAM_BOT_TOKEN", token("telegram", "botToken")],
        ["DISCORD_BOT_TOKEN", token("discord", "token")],
        ["SLACK_BOT_TOKEN", token("slack", "botToken")],
        ["SLACK_APP_TOKEN", token("slack", "appToken")],
      ].flatMap(([name, value]) =>
        typeof name === "string" && typeof value === "string" && value !== "" && !value.startsWith("$")
          ? [{ name, value }]
          : [],
      ),
    ],
  };
}

/** The user's part of Claude Code; its `.claude.json` is beside the folder. */
function claudeCode(folder: string): FoundData {
  const settings = json5(textOf(`${folder}.json`) ?? "");
  const rules = textOf(join(folder, "CLAUDE.md"));
  return {
    skills: skillsIn(join(folder, "skills")),
    servers: serversOf(settings["mcpServers"]),
    memories: [],
    rules: rules === undefined ? [] : [{ name: "claude-code", text: rules }],
    soul: undefined,
    secrets: [],
  };
}

function codex(folder: string): FoundData {
  const rules = textOf(join(folder, "AGENTS.md"));
  const tables = tomlTables(textOf(join(folder, "config.toml")) ?? "", "mcp_servers");
  return {
    skills: skillsIn(join(folder, "skills")),
    servers: serversOf(tables as JsonObject),
    memories: [],
    rules: rules === undefined ? [] : [{ name: "codex", text: rules }],
    soul: undefined,
    secrets: [],
  };
}

/** The folders with a `SKILL.md`, directly below one. */
function skillsIn(folder: string): FoundData["skills"] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name) && existsSync(join(folder, name, "SKILL.md")))
    .toSorted()
    .map((name) => ({ name: name.toLowerCase(), folder: join(folder, name) }));
}

/** Every agent has the keys `command`, `args`, `env` and `url`; the rest differs. */
function serversOf(value: Json | undefined): FoundData["servers"] {
  return Object.entries(objectOf(value)).flatMap(([name, one]): FoundData["servers"] => {
    const { command, args, env, url, headers, http_headers, bearer_token_env_var, enabled, type, transport } =
      objectOf(one);
    const common = enabled === false ? { enabled: false } : {};
    if (typeof command === "string")
      return [{ name, settings: { command, ...pick({ args, env }), ...common } satisfies JsonObject }];
    if (typeof url !== "string") return [];
    const bearer =
      typeof bearer_token_env_var === "string" ? { Authorization: `Bearer \${${bearer_token_env_var}}` } : {};
    const all = { ...objectOf(headers), ...objectOf(http_headers), ...bearer };
    const sse = type === "sse" || transport === "sse" ? { transport: "sse" } : {};
    return [
      {
        name,
        settings: {
          url,
          ...(Object.keys(all).length === 0 ? {} : { headers: all }),
          ...sse,
          ...common,
        } satisfies JsonObject,
      },
    ];
  });
}

function pick(values: { readonly [key: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(Object.entries(values).filter((pair): pair is [string, Json] => pair[1] !== undefined));
}

const SECRET_NAME = /(?:key|token|secret|password|credentials?)(?:_\d+)?$/i;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

function envSecrets(file: string): FoundData["secrets"] {
  const text = textOf(file);
  if (text === undefined) return [];
  return [...parseEnvFile(text).values].flatMap(([name, value]) =>
    isSecretName(name) && value !== "" ? [{ name, value }] : [],
  );
}

function textOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isFile() !== true || stat.size > 4_000_000) return undefined;
  const text = readFileSync(file, "utf8").trim();
  return text === "" ? undefined : text;
}

/** JSON with comments, trailing commas and unquoted keys, as OpenClaw writes it; anything else is empty. */
function json5(text: string): JsonObject {
  const plain = text
    .replaceAll(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (part) => (part.startsWith('"') ? part : ""))
    .replaceAll(/"(?:[^"\\]|\\.)*"|'((?:[^'\\]|\\.)*)'/g, (part, single: string | undefined) =>
      single === undefined ? part : JSON.stringify(single.replaceAll("\\'", "'")),
    )
    .replaceAll(
      /"(?:[^"\\]|\\.)*"|([{,]\s*)([A-Za-z_$][\w$-]*)(\s*:)/g,
      (part, before?: string, key?: string, after?: string) => (key === undefined ? part : `${before}"${key}"${after}`),
    )
    .replaceAll(/"(?:[^"\\]|\\.)*"|,(\s*[}\]])/g, (part, end?: string) => end ?? part);
  try {
    return objectOf(JSON.parse(plain));
  } catch {
    return {}; // Not JSON: nothing of it is imported.
  }
}
