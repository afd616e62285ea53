import { closeSync, constants, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { basename, join } from "node:path";
import { isObject } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Skill, SkillConditions } from "../../contract/plugins/skill.ts";
import { writeCopy } from "../config/write-atomically.ts";
import { readHead, wordsOf } from "./read-head.ts";
import { walkSkills, type SkillOnDisk } from "./walk-skills.ts";
import { readableText } from "../../contract/common/text-encoding.ts";

export interface ListPorts {
  readonly roots: readonly { readonly folder: string; readonly source: Skill["source"] }[];
  /** Keeps what was read of many skills. */
  readonly cache: string;
  readonly disabled: ReadonlySet<string>;
}

/** The data of a skill's own file. */
interface Read extends Pick<Skill, "name" | "description" | "problem" | "conditions"> {
  readonly platforms?: readonly string[];
  readonly environments?: readonly string[];
}

const HEAD_BYTES = 8_192;
const MAX_BYTES = 1_000_000;
/** Up to this number, reading all skills is as fast as reading a cache of them. */
const FEW = 32;
const FORMAT = 1;

/** Lists the skills, sorted by category and name. */
export async function listSkills(ports: ListPorts): Promise<readonly Skill[]> {
  const found = ports.roots.flatMap(({ folder, source }) => walkSkills(folder).map((skill) => ({ ...skill, source })));
  const known = found.length > FEW ? cached(ports.cache) : new Map<string, Read>();
  const reads: (readonly [key: string, read: Read])[] = [];
  const skills: Skill[] = [];
  const first = new Map<string, string>();
  for (const one of found) {
    const key = `${one.folder} ${one.stamp}`;
    const read = known.get(key) ?? (await readSkill(one));
    reads.push([key, read]);
    const skill = toSkill(one, read, ports);
    const before = first.get(read.name);
    if (before === undefined) first.set(read.name, one.folder);
    skills.push(
      before === undefined ? skill : { ...skill, hidden: { kind: "shadowed", why: `${before} has the same name` } },
    );
  }
  if (found.length > FEW && reads.some(([key]) => !known.has(key)))
    writeCopy(ports.cache, JSON.stringify({ format: FORMAT, reads }));
  return skills.sort(
    (a, b) => compare(a.category ?? "", b.category ?? "") || compare(a.name, b.name) || compare(a.path, b.path),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function cached(file: string): ReadonlyMap<string, Read> {
  try {
    const { format, reads } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly format: number;
      readonly reads: readonly (readonly [string, Read])[];
    };
    return new Map(format === FORMAT ? reads : []);
  } catch {
    return new Map(); // Never made, or broken: it is made again.
  }
}

function toSkill(
  { folder, path, source }: SkillOnDisk & Pick<Skill, "source">,
  { platforms, environments, ...read }: Read,
  ports: ListPorts,
): Skill {
  const category = path.includes("/") ? path.slice(0, path.indexOf("/")) : undefined;
  const hidden = hiddenFor(read.name, path, platforms, environments, ports);
  return {
    ...read,
    category,
    folder,
    path,
    source,
    hidden,
  };
}

const PLATFORMS: { readonly [platform: string]: string } = {
  darwin: "macos",
  win32: "windows",
  linux: "linux",
  android: "linux",
};

function hiddenFor(
  name: string,
  path: string,
  platforms: readonly string[] | undefined,
  environments: readonly string[] | undefined,
  ports: ListPorts,
): Skill["hidden"] {
  if (ports.disabled.has(name) || ports.disabled.has(basename(path))) return { kind: "disabled", why: "disabled" };
  const here = PLATFORMS[process.platform] ?? process.platform;
  if (platforms !== undefined && !platforms.includes(here))
    return { kind: "platform", why: `for ${platforms.join(", ")}` };
  return environments === undefined || environments.some((environment) => isHere(environment))
    ? undefined
    : { kind: "environment", why: `for ${environments.join(", ")}` };
}

/** Whether a skill's required environment exists. Hermes has no kanban board; an unknown environment hides no skill. */
function isHere(environment: string): boolean {
  if (environment === "docker") return existsSync("/.dockerenv");
  return environment === "s6" ? existsSync("/run/s6") : environment !== "kanban";
}

async function readSkill({ folder }: SkillOnDisk): Promise<Read> {
  const text = beginning(join(folder, "SKILL.md"));
  const { data, body, problem } = await readHead(text);
  const own = isObject(data["metadata"]) && isObject(data["metadata"]["hermes"]) ? data["metadata"]["hermes"] : {};
  const name = textOf(data["name"]) || basename(folder);
  const description = textOf(data["description"]) || firstLine(body);
  const message =
    problem ??
    (textOf(data["name"]) === ""
      ? "its frontmatter has no name"
      : textOf(data["description"]) === ""
        ? "its frontmatter has no description"
        : undefined);
  const platforms = wordsOf(data["platforms"]).map((word) => word.toLowerCase());
  const environments = wordsOf(data["environments"]).map((word) => word.toLowerCase());
  const conditions = conditionsOf(own, data);
  return {
    name: name.slice(0, 64).toWellFormed(),
    description: description.length > 1024 ? `${description.slice(0, 1021).toWellFormed()}...` : description,
    problem: message,
    platforms: platforms.length === 0 ? undefined : platforms,
    environments: environments.length === 0 ? undefined : environments,
    conditions,
  };
}

const CONDITIONS = ["requires_tools", "requires_toolsets", "fallback_for_tools", "fallback_for_toolsets"] as const;

function conditionsOf(own: JsonObject, data: JsonObject): SkillConditions | undefined {
  const message = CONDITIONS.map((key) => [key, wordsOf(own[key] ?? data[key])] as const).filter(
    ([, words]) => words.length > 0,
  );
  return message.length === 0 ? undefined : Object.fromEntries(message);
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value).replaceAll(/\s+/g, " ").trim() : "";
}

function firstLine(body: string): string {
  return (
    body
      .split("\n")
      .map((line) => line.trim())
      .find((line) => line !== "" && !line.startsWith("#")) ?? ""
  );
}

/** The frontmatter and some lines; all of it where the frontmatter is longer. Never waits for what is no file. */
function beginning(file: string): string {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const first = Buffer.alloc(HEAD_BYTES);
    const text = readableText(first.subarray(0, readSync(handle, first, 0, HEAD_BYTES, 0)));
    if (text.length < HEAD_BYTES / 4 || !text.startsWith("---") || /\n---[ \t]*\r?\n/.test(text)) return text;
    const all = Buffer.alloc(MAX_BYTES);
    return readableText(all.subarray(0, readSync(handle, all, 0, MAX_BYTES, 0)));
  } catch {
    return ""; // Gone meanwhile, or not ours to read: it is listed with what its folder says.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
