import { statSync } from "node:fs";
import { join } from "node:path";
import { definedFields, isObject, UserError, type Json, type JsonObject } from "hermes-agent/plugin";
import { offeredIn } from "../offered.ts";
import { GithubApi } from "./github-api.ts";
import { githubAuth } from "./github-auth.ts";
import { cachedIndex } from "./index-cache.ts";
import { strange, textAt, toJson } from "./registry.ts";
import { refuseOdd } from "./write-files.ts";
import type { Hit, Searched, SkillSource, SourcePorts } from "./skill-source.ts";

const PREFIX = "claude-marketplace/";
const FILE = ".claude-plugin/marketplace.json";
const REPO = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;
const PLUGIN = /^[A-Za-z0-9][\w.-]{0,99}$/;
const DEFAULTS = ["anthropics/skills", "aiskillstore/marketplace"];

interface Plugin {
  readonly name: string;
  readonly description: string;
  /** Where it lies, as `marketplace.json` says it. */
  readonly source: Json | undefined;
  /** Folders of its skills; none: all it holds. */
  readonly skills: readonly string[];
}

/**
 * Marketplaces of Claude Code: repositories of GitHub with a `marketplace.json`, which names plugins and where they
 * lie. Of a plugin its skills are taken and nothing else: no commands, hooks or servers.
 * `claude-marketplace/OWNER/REPO/PLUGIN/SKILL`.
 */
export function claudeMarketplaceSource(ports: SourcePorts, repositories: SkillSource): SkillSource {
  const { shelf, settings } = ports;

  async function plugins(repo: string): Promise<readonly Plugin[]> {
    const [owner = "", name = ""] = repo.split("/");
    const list = await cachedIndex(
      shelf,
      `marketplace ${JSON.stringify(settings["registries"] ?? "")} ${repo}`,
      async () => {
        const file = toJson(
          await new GithubApi(ports, githubAuth(ports)).file(
            { owner, repo: name },
            FILE,
            `${repo} is not a Claude Code marketplace: it has no ${FILE}.`,
          ),
          { name: repo, url: "" },
        );
        if (!isObject(file) || !Array.isArray(file["plugins"])) throw strange(repo);
        return file["plugins"];
      },
    );
    return (Array.isArray(list) ? list : []).flatMap((one) => {
      const name = textAt(one, "name");
      if (!PLUGIN.test(name) || !isObject(one)) return [];
      return [
        {
          name,
          description: textAt(one, "description"),
          source: one["source"],
          skills: (Array.isArray(one["skills"]) ? one["skills"] : []).filter((path) => typeof path === "string"),
        },
      ];
    });
  }

  async function searchOne(repo: string, words: readonly string[], most: number): Promise<Searched> {
    try {
      const hits = (await plugins(repo)).flatMap(({ name, description, skills }): readonly Hit[] => {
        const found = (skill: string): boolean =>
          words.every((word) => `${name} ${skill} ${description}`.toLowerCase().includes(word));
        const hit = (skill: string): Hit => ({
          name: skill === "" ? name : skill,
          identifier: `${PREFIX}${repo}/${name}${skill === "" ? "" : `/${skill}`}`,
          source: `https://github.com/${repo}`,
          description,
        });
        return (skills.length === 0 ? [""] : skills.map(lastOf)).filter(found).map(hit);
      });
      return { place: repo, hits: hits.slice(0, most) };
    } catch (cause) {
      return {
        place: repo,
        hits: [],
        failed: cause instanceof Error ? cause.message.split("\n", 1)[0]! : String(cause),
      };
    }
  }

  return {
    id: "claude-marketplace",
    search: (words, most) => Promise.all(marketplaces(settings).map((repo) => searchOne(repo, words, most))),

    async fetch(identifier, into) {
      const [owner = "", name = "", wanted = "", skill, ...more] = identifier.slice(PREFIX.length).split("/");
      const repo = `${owner}/${name}`;
      if (!REPO.test(repo) || !PLUGIN.test(wanted) || (skill !== undefined && !PLUGIN.test(skill)) || more.length > 0)
        throw new UserError(`"${identifier}" is not a plugin of a marketplace.`, {
          hint: "Use claude-marketplace/OWNER/REPO/PLUGIN, optionally with /SKILL.",
          exitCode: 2,
        });
      const offered = await plugins(repo);
      const plugin = offered.find((one) => one.name === wanted);
      if (plugin === undefined)
        throw new UserError(`There is no plugin "${wanted}" in ${repo}.`, {
          hint: `Available: ${
            offered
              .slice(0, 30)
              .map((one) => one.name)
              .join(", ") || "none"
          }.`,
          exitCode: 2,
        });
      const { from, path } = placeOf(plugin, repo);
      const listed = plugin.skills.map((one) => joined(path, one, repo));
      const found = listed.length > 0 ? listed : await foldersIn(from, path, join(into, "heads"));
      const ones = skill === undefined ? found : found.filter((one) => lastOf(one) === skill);
      const [one] = ones;
      if (one === undefined || ones.length > 1)
        throw new UserError(
          skill === undefined
            ? `The plugin "${wanted}" of ${repo} has ${found.length} skills.`
            : `There is no skill "${skill}" in the plugin "${wanted}" of ${repo}.`,
          {
            hint:
              found.length === 0
                ? "Not every plugin has skills."
                : `Add the name of one: ${found.slice(0, 30).map(lastOf).join(", ")}.`,
            exitCode: 2,
          },
        );
      const fetched = await repositories.fetch(
        one === "" ? from : `${from}${from.includes("://") && !from.includes("/tree/") ? "#" : "/"}${one}`,
        join(into, "skill"),
      );
      return { ...fetched, ...definedFields({ path: one === "" ? undefined : one }) };
    },
  };

  /** Where the skills of a plugin lie that lists none. */
  async function foldersIn(from: string, path: string, into: string): Promise<readonly string[]> {
    const { root } = await repositories.fetch(from, into);
    const own = join(root, path);
    if (statSync(own, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new UserError(`${from} has no folder "${path}" with a skill, although its marketplace lists it.`);
    return (await offeredIn(own, shelf)).map(({ folder }) => folder.slice(root.length + 1));
  }
}

function marketplaces(settings: JsonObject): readonly string[] {
  const given = Array.isArray(settings["marketplaces"])
    ? settings["marketplaces"].filter((one) => typeof one === "string")
    : DEFAULTS;
  const odd = given.find((one) => !REPO.test(one));
  if (odd !== undefined)
    throw new UserError(`skills.marketplaces contains ${JSON.stringify(odd)}, which is not owner/repo.`, {
      exitCode: 78,
    });
  return given;
}

/**
 * The repository of a plugin, as `install` accepts it, and the folder in it.
 * @throws {UserError} for an unsupported source.
 */
function placeOf({ name, source }: Plugin, marketplace: string): { readonly from: string; readonly path: string } {
  if (typeof source === "string") return { from: marketplace, path: joined("", source, marketplace) };
  const [kind, repo, url, ref, sha, path] = ["source", "repo", "url", "ref", "sha", "path"].map((key) =>
    textAt(source, key),
  ) as [string, string, string, string, string, string];
  const at = sha !== "" ? sha : ref;
  const folder = joined("", path, marketplace);
  const owned =
    kind === "github" && REPO.test(repo)
      ? repo
      : (/^https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(url)?.[1] ?? "");
  if (owned !== "" && !at.includes("/"))
    return { from: at === "" ? owned : `https://github.com/${owned}/tree/${encodeURIComponent(at)}`, path: folder };
  if ((kind === "url" || kind === "git-subdir") && url.startsWith("https://") && at === "")
    return { from: url, path: folder };
  throw new UserError(
    `The plugin "${name}" of ${marketplace} is in a place that Hermes cannot download from (${kind === "" ? "unknown" : JSON.stringify(kind)}${at === "" ? "" : `, at ${JSON.stringify(at)}`}).`,
    { hint: "Hermes downloads from Git repositories; for GitHub, the entry can name a branch, tag or commit." },
  );
}

/** `./a/b` below a folder, as a path without dots. @throws {UserError} for one that leads out. */
function joined(folder: string, path: string, from: string): string {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  const whole = [...(folder === "" ? [] : [folder]), ...names].join("/");
  if (whole !== "") refuseOdd(whole, from);
  return whole;
}

function lastOf(path: string): string {
  return path.slice(path.replace(/\/+$/, "").lastIndexOf("/") + 1).replace(/\/+$/, "");
}
