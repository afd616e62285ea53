import { cpSync, existsSync, lstatSync, readFileSync, readdirSync, renameSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import { objectOf } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type {
  MigrationItem,
  MigrationOptions,
  MigrationPlan,
  MigrationService,
  MigrationSource,
} from "../../contract/services/migration-service.ts";
import { writeAtomically } from "../config/write-atomically.ts";
import { makeFolder } from "../environment/make-folder.ts";
import { judgeSkill } from "../skills/judge-skill.ts";
import { hashOf } from "../skills/seed-bundled.ts";
import { findData, FOLDERS, isSecretName, type FoundData } from "./found-data.ts";

export interface MigrationPorts {
  readonly home: string;
  readonly userHome: string;
  readonly now: () => number;
  readonly config: {
    get(path: string): Json | undefined;
    set(path: string, value: string): Promise<void>;
    setVariable(name: string, value: string): Promise<void>;
    hasVariable(name: string): boolean;
  };
}

/** Between the entries of a memory file. */
const ENTRY = "\n§\n";

export function createMigrationService(ports: MigrationPorts): MigrationService {
  return {
    async plan(source, options = {}) {
      const folder = folderOf(source, options.folder, ports.userHome);
      const found = findData(source, folder);
      const servers = found.servers.map((server) => withoutSecrets(server));
      const items = [
        ...(await Promise.all(found.skills.map(({ name, folder: from }) => skillItem(name, from, source, ports)))),
        ...servers.map(({ name, settings }) => serverItem(name, settings, ports)),
        ...memoryItems(found, ports),
        ...found.rules.map(({ name, text }) => rulesItem(name, text, ports)),
        ...(found.soul === undefined ? [] : [textItem("rules", "SOUL.md", "SOUL.md", `${found.soul}\n`, ports)]),
      ];
      const secrets = new Map(
        [...found.secrets, ...servers.flatMap((server) => server.secrets)].map((one) => [one.name, one]),
      );
      return { source, folder, items, secrets: [...secrets.values()] };
    },
    apply: (plan, options = {}) => apply(plan, options, ports),
  };
}

function folderOf(source: MigrationSource, given: string | undefined, userHome: string): string {
  const folders = given === undefined ? FOLDERS[source].map((name) => join(userHome, name)) : [resolve(given)];
  const found = folders.find((folder) => existsSync(folder));
  if (found !== undefined) return found;
  throw new UserError(`There is no folder ${folders[0]} to import from.`, {
    hint: "Name the folder: --source FOLDER.",
    exitCode: 2,
  });
}

/** Untrusted text: a skill that the scan calls dangerous is not imported. */
async function skillItem(name: string, folder: string, source: string, ports: MigrationPorts): Promise<MigrationItem> {
  const to = join("skills", source, name);
  const item = { kind: "skill" as const, name, to, content: { folder } };
  if (hasLinks(folder)) return { ...item, state: "unsafe", why: "it contains links" };
  const { verdict, reasons } = await judgeSkill(folder);
  if (verdict === "dangerous") return { ...item, state: "unsafe", why: reasons[0] ?? "the scan calls it dangerous" };
  const there = join(ports.home, to);
  if (!existsSync(there)) return { ...item, state: "new" };
  return { ...item, state: hashOf(there) === hashOf(folder) ? "same" : "differs" };
}

function hasLinks(folder: string): boolean {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) =>
    lstatSync(join(entry.parentPath, entry.name)).isSymbolicLink(),
  );
}

function serverItem(name: string, settings: JsonObject, { config }: MigrationPorts): MigrationItem {
  const to = `mcp_servers.${name}`;
  const item = { kind: "mcp server" as const, name, to, content: { setting: settings } };
  if (!/^[\w-]{1,64}$/.test(name))
    return { ...item, state: "unsafe", why: "its name has other characters than letters, digits, _ and -" };
  const there = objectOf(config.get("mcp_servers"))[name];
  if (there === undefined) return { ...item, state: "new" };
  return { ...item, state: JSON.stringify(there) === JSON.stringify(settings) ? "same" : "differs" };
}

/** Keys in a server's settings become variables, which `.env` holds. */
function withoutSecrets({ name, settings }: FoundData["servers"][number]) {
  const secrets: { name: string; value: string }[] = [];
  const replaced = (section: Json | undefined, variable: (key: string) => string): Json | undefined =>
    section === undefined
      ? undefined
      : Object.fromEntries(
          Object.entries(objectOf(section)).map(([key, value]) => {
            const secret = typeof value === "string" && value !== "" && !value.includes("${");
            if (!secret || !(isSecretName(key) || /^authorization$|^x-api-key$/i.test(key))) return [key, value];
            secrets.push({ name: variable(key), value });
            return [key, `\${${variable(key)}}`];
          }),
        );
  const upper = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
  const env = replaced(settings["env"], (key) => key);
  const headers = replaced(settings["headers"], (key) => `${upper(name)}_${upper(key)}`);
  return {
    name,
    settings: { ...settings, ...(env === undefined ? {} : { env }), ...(headers === undefined ? {} : { headers }) },
    secrets,
  };
}

/** Each note becomes an entry; those that are there already stay once. */
function memoryItems(found: FoundData, ports: MigrationPorts): readonly MigrationItem[] {
  return found.memories.map(({ target, text }) => {
    const to = join("memories", target);
    const before = textAt(join(ports.home, to));
    const entries = before === undefined ? [] : before.split(ENTRY).map((entry) => entry.trim());
    const added = text
      .split(/\n(?=#{1,6} )|\n{2,}/)
      .map((entry) => entry.replace(/^#{1,6} [^\n]*\n?/, "").trim())
      .filter((entry) => entry !== "" && !entries.includes(entry));
    const all = [...entries, ...added].filter((entry) => entry !== "").join(ENTRY);
    const item = { kind: "memory" as const, name: target, to, content: { text: `${all}\n` } };
    return { ...item, state: added.length === 0 ? "same" : "new" };
  });
}

/** Rules of another agent are a skill: they cost nothing in a session that does not need them. */
function rulesItem(name: string, text: string, ports: MigrationPorts): MigrationItem {
  const skill = `---
name: rules-from-${name}
description: The user's rules for work, written for ${name}. Read them before you change files or run commands.
---

${text}
`;
  return textItem("rules", `rules-from-${name}`, join("skills", name, `rules-from-${name}`, "SKILL.md"), skill, ports);
}

function textItem(
  kind: MigrationItem["kind"],
  name: string,
  to: string,
  text: string,
  { home }: MigrationPorts,
): MigrationItem {
  const there = textAt(join(home, to));
  const state = there === undefined ? "new" : there === text.trim() ? "same" : "differs";
  return { kind, name, to, content: { text }, state };
}

function textAt(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8").trim() : undefined;
}

async function apply(
  { items, secrets }: MigrationPlan,
  options: MigrationOptions,
  { home, now, config }: MigrationPorts,
): Promise<readonly MigrationItem[]> {
  const stamp = new Date(now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  const wanted = items.filter(({ state }) => state === "new" || (state === "differs" && options.overwrite === true));
  for (const { to, content } of wanted) {
    if ("setting" in content) {
      await config.set(to, JSON.stringify(content.setting));
      continue;
    }
    const target = join(home, to);
    if (existsSync(target)) {
      const aside = join(home, "backups", `before-import-${stamp}`, to);
      makeFolder(dirname(aside));
      if ("folder" in content) renameSync(target, aside);
      else writeAtomically(aside, readFileSync(target, "utf8"));
    }
    if ("text" in content) writeAtomically(target, content.text);
    else {
      makeFolder(dirname(target));
      cpSync(content.folder, target, { recursive: true });
    }
  }
  if (options.withSecrets === true)
    for (const { name, value } of secrets) if (!config.hasVariable(name)) await config.setVariable(name, value);
  return wanted;
}
