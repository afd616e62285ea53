import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { Json } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Skill, SkillShelf } from "../../contract/plugins/skill.ts";
import type { Home } from "../environment/home.ts";
import { writeCopy } from "../config/write-atomically.ts";
import type { PluginHost } from "../plugins/registry/plugin-host.ts";
import { listSkills, type ListPorts } from "./list-skills.ts";
import { indexText, type Offered } from "./index-text.ts";

export interface SkillPorts {
  readonly home: Home;
  readonly bundled: string;
  /** Version of Hermes: another version may ship other skills. */
  readonly version: string;
  readonly log: Logger;
  config(path: string): Json | undefined;
  /** Writes a setting into `config.yaml`, as `hermes config set` does. */
  setConfig(path: string, value: string): Promise<void>;
  env(name: string): string | undefined;
  /** The environment for git. */
  programEnvironment(): Promise<{ readonly [name: string]: string }>;
  readonly plugins: Pick<PluginHost, "skills" | "service">;
}

/** The shelf, and what a session needs of it. */
export interface Skills extends SkillShelf, AsyncDisposable {
  /** The section of a new system prompt. */
  index(offered: Offered, surface: string): Promise<string>;
}

/** A user who wants no bundled skills puts this file into the home. */
export const OPT_OUT = ".no-bundled-skills";

/** Nothing is read before it is asked for. */
export function openSkills(ports: SkillPorts): Skills {
  const { home, bundled, log } = ports;
  const folder = home.file("skills");
  const marker = home.file("cache", "bundled-skills");
  let seeding: Promise<void> | undefined;
  let used = false;

  const seed = (): Promise<void> =>
    (seeding ??= import("./seed-bundled.ts")
      .then(({ seedBundled }) => {
        if (!existsSync(home.file(OPT_OUT))) seedBundled(bundled, folder);
        writeCopy(marker, ports.version);
      })
      .catch((cause: unknown) => log.warning("The bundled skills could not be copied into the home.", { cause })));

  /** Bundled skills are listed before they are copied into the home. */
  function listing(surface: string): ListPorts {
    const seeded = existsSync(join(folder, ".bundled_manifest")) || existsSync(home.file(OPT_OUT));
    const roots: ListPorts["roots"] = [
      { folder, source: "home" },
      ...(seeded ? [] : [{ folder: bundled, source: "home" } as const]),
      ...outside().map((path) => ({ folder: path, source: "outside" }) as const),
    ];
    const disabled = new Set([
      ...words(ports.config("skills.disabled")),
      ...words(ports.config(`skills.platform_disabled.${surface}`)),
    ]);
    return { roots, cache: home.file("cache", "skills.json"), disabled };
  }

  function outside(): readonly string[] {
    return words(ports.config("skills.external_dirs")).map((path) => {
      const message = path
        .replace(/^~(?=\/|$)/, () => ports.env("HOME") ?? "~")
        .replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => ports.env(name) ?? whole);
      return isAbsolute(message) ? message : resolve(home.path, message);
    });
  }

  return {
    folder,
    bundled,
    seed,
    reseed() {
      seeding = undefined;
      return seed();
    },
    async setEnabled(name, on, platform) {
      const path = platform === undefined ? "skills.disabled" : `skills.platform_disabled.${platform}`;
      const before = words(ports.config(path));
      if (before.includes(name) !== on) return false;
      await ports.setConfig(path, JSON.stringify(on ? before.filter((one) => one !== name) : [...before, name]));
      return true;
    },
    async all() {
      await seed();
      return listSkills(listing("cli"));
    },
    roots: () => [folder, ...outside()],
    head: async (text) => (await import("./read-head.ts")).readHead(text),
    has: (variable) => (ports.env(variable) ?? "") !== "",
    judge: async (what) => (await import("./judge-skill.ts")).judgeSkill(what),
    fetch: async (from, into, signal) =>
      (await import("./fetch-source.ts")).fetchSource(from, into, {
        home: ports.env("HOME") ?? home.path,
        env: await ports.programEnvironment(),
        signal,
      }),
    publish: async (folder, request, stage, signal) =>
      (await import("./publish-folder.ts")).publishFolder(folder, request, stage, {
        home: ports.env("HOME") ?? home.path,
        env: await ports.programEnvironment(),
        signal,
      }),
    ofPlugins: () => ports.plugins.skills.list(),
    async asleep(plugin) {
      const found = (await ports.plugins.service.list()).find(
        ({ manifest, state }) => manifest.name === plugin && state !== "enabled",
      );
      return found === undefined ? undefined : `hermes plugins enable ${found.key}`;
    },
    async index(offered, surface) {
      used = true;
      const skills: readonly Skill[] = await listSkills(listing(surface));
      for (const { name, path, problem } of skills)
        if (problem !== undefined) log.warning(`The skill "${name}" (${path}): ${problem}.`);
      return indexText(skills, offered);
    },
    async [Symbol.asyncDispose]() {
      // A start does not wait for what only later ones need.
      if (used && !hasText(marker, ports.version)) await seed();
      await seeding;
    },
  };
}

function hasText(file: string, text: string): boolean {
  try {
    return readFileSync(file, "utf8") === text;
  } catch {
    return false; // Never written.
  }
}

/** A list, or one word. */
function words(value: Json | undefined): readonly string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) =>
    typeof one === "string" && one !== "" ? [one] : [],
  );
}
