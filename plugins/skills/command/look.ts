import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeVisible, readableText, type Skill, type SkillShelf, UserError } from "hermes-agent/plugin";
import { filesOf } from "../view/skill-file.ts";
import { setupNeeds } from "../view/setup-needs.ts";
import type { Service, Options } from "./command-services.ts";
import { digestOf, readLock } from "../hub/hub-state.ts";
import { judgeSkill } from "../hub/scan-fetched.ts";
import { originsOf } from "./origin.ts";

const SOURCES = ["builtin", "hub", "local", "outside", "plugin"];

interface Row {
  readonly name: string;
  readonly category: string;
  readonly source: string;
  readonly trust: string;
  readonly status: string;
  readonly description: string;
}

export async function list(
  _words: readonly string[],
  { source, json, "enabled-only": enabledOnly }: Options,
  { shelf, say }: Service,
): Promise<void> {
  if (source !== undefined && source !== "all" && !SOURCES.includes(String(source)))
    throw new UserError(`There is no source "${source}".`, {
      hint: `Sources: all, ${SOURCES.join(", ")}.`,
      exitCode: 2,
    });
  const all = await rowsOf(shelf);
  const rows = all.filter(
    (row) =>
      (source === undefined || source === "all" || row.source === source) &&
      (enabledOnly !== true || row.status === "on"),
  );
  if (json === true) return say(JSON.stringify(rows, null, 2));
  if (rows.length === 0)
    return say(all.length === 0 ? `No skills. Their folder is ${shelf.folder}.` : "No skills match.");
  const counts = [...Map.groupBy(rows, (row) => row.source)].map(([of, members]) => `${members.length} ${of}`);
  say(
    [
      ...table([
        ["NAME", "CATEGORY", "SOURCE", "TRUST", "STATUS"],
        ...rows.map((row) => [row.name, row.category, row.source, row.trust, row.status]),
      ]),
      "",
      counts.join(", "),
    ].join("\n"),
  );
}

async function rowsOf(shelf: SkillShelf): Promise<readonly Row[]> {
  const skills = await shelf.all();
  const originOf = originsOf(shelf);
  const own = skills.map((skill): Row => {
    const { source, trust } = originOf(skill);
    const status = skill.hidden?.why ?? (skill.problem === undefined ? "on" : `on; ${skill.problem}`);
    return {
      name: makeVisible(skill.name),
      category: skill.category ?? "",
      source,
      trust,
      status,
      description: makeVisible(skill.description),
    };
  });
  const plugins = shelf.ofPlugins().map(({ name, value }): Row => ({
    name,
    category: "",
    source: "plugin",
    trust: "plugin",
    status: "on",
    description: value.description ?? "",
  }));
  return [...own, ...plugins];
}

export async function inspect([name = ""]: readonly string[], _options: Options, service: Service): Promise<void> {
  const { shelf, home, say } = service;
  if (/^[./~]|:\/\/|^git@/.test(name) || (name.includes("/") && !(await shelf.all()).some(({ path }) => path === name)))
    return (await import("../hub/install.ts")).preview(name, service);
  const ofPlugin = shelf.ofPlugins().find((one) => one.name === name)?.value;
  const skill = ofPlugin === undefined ? await named(name, shelf) : undefined;
  const folder = skill?.folder ?? dirname(ofPlugin!.path);
  const { data, problem } = await shelf.head(readableText(readFileSync(join(folder, "SKILL.md"))));
  const origin = skill === undefined ? { source: "plugin", trust: "plugin" } : originsOf(shelf)(skill);
  const needs = setupNeeds(data, shelf, home);
  const files = Object.values(filesOf(folder, { home, agentHome: home })).flat();
  const { verdict, reasons } = await judgeSkill(folder, service);
  const message: readonly (readonly [string, string | undefined])[] = [
    ["name", name],
    ["description", typeof data["description"] === "string" ? data["description"] : skill?.description],
    ["source", `${origin.source} (${origin.trust})`],
    ["folder", folder],
    ["files", files.length === 0 ? undefined : files.join(", ")],
    ["status", skill?.hidden?.why],
    ["problem", problem],
    ["setup", typeof needs["setup_note"] === "string" ? needs["setup_note"] : undefined],
    ["scan", verdict],
  ];
  say(
    [
      ...message.flatMap(([key, value]) => (value === undefined ? [] : [`${key.padEnd(12)} ${makeVisible(value)}`])),
      ...reasons.map((reason) => `  ${reason}`),
    ].join("\n"),
  );
}

/** @returns 1 when something should be looked at. */
export async function audit([name]: readonly string[], _options: Options, service: Service): Promise<number> {
  const { shelf, say } = service;
  const skills =
    name === undefined
      ? (await shelf.all()).filter(({ hidden }) => hidden?.kind !== "shadowed")
      : [await named(name, shelf)];
  const lock = readLock(shelf.folder);
  let bad = 0;
  for (const skill of skills) {
    const { verdict, reasons } = await judgeSkill(skill.folder, service);
    const installed = lock[basename(skill.path)];
    const altered =
      installed !== undefined &&
      installed.install_path === skill.path &&
      installed.metadata.digest !== digestOf(skill.folder).full
        ? ["modified after its installation"]
        : [];
    if (verdict === "safe" && skill.problem === undefined && altered.length === 0) {
      say(`✓ ${skill.path}`);
      continue;
    }
    if (verdict !== "safe") bad++;
    say(
      [
        `${verdict === "safe" ? "!" : "✗"} ${skill.path}: ${[...(verdict === "safe" ? [] : [verdict]), ...altered, ...(skill.problem === undefined ? [] : [skill.problem])].join("; ")}`,
        ...reasons.map((reason) => `    ${reason}`),
      ].join("\n"),
    );
  }
  for (const [of, { install_path: path }] of name === undefined ? Object.entries(lock) : []) {
    if (existsSync(join(shelf.folder, path))) continue;
    bad++;
    say(`✗ ${path}: installed, but missing; \`hermes skills uninstall ${of}\` removes its record`);
  }
  say(`${skills.length} scanned, ${bad === 0 ? "no problems found" : `${bad} need attention`}.`);
  return bad === 0 ? 0 : 1;
}

/** @throws {UserError} for none and for several. */
export async function named(name: string, shelf: SkillShelf): Promise<Skill> {
  const found = (await shelf.all()).filter(
    (skill) => skill.path === name || skill.name === name || basename(skill.path) === name,
  );
  const [skill] = found;
  if (skill === undefined)
    throw new UserError(`There is no skill "${name}".`, {
      hint: "`hermes skills list` shows all skills.",
      exitCode: 2,
    });
  if (found.length > 1)
    throw new UserError(`${found.length} skills are named "${name}".`, {
      hint: `Use the path of one: ${found.map(({ path }) => path).join(", ")}.`,
      exitCode: 2,
    });
  return skill;
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}
