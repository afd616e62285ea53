import { join } from "node:path";
import { isObject, UserError, type Json } from "hermes-agent/plugin";
import { cachedIndex } from "./index-cache.ts";
import { askRegistry, registryOf, strange, textAt, toJson } from "./registry.ts";
import type { Hit, SkillSource, SourcePorts } from "./skill-source.ts";
import { writeFiles } from "./write-files.ts";

const PREFIX = "lobehub/";
const ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const MAX_INDEX_BYTES = 30_000_000;

/** The agents that LobeHub lists: instructions for one kind of work, which become a skill with one file. */
export function lobehubSource({ fetch: guarded, settings, signal, shelf }: SourcePorts): SkillSource {
  const registry = registryOf("lobehub", "LobeHub", "https://chat-agents.lobehub.com", settings);

  async function agents(): Promise<readonly Json[]> {
    const index = await cachedIndex(shelf, `lobehub ${registry.url}`, async () => {
      const answer = toJson(
        await askRegistry(guarded, registry, "/index.json", {
          signal,
          missing: `${registry.name} has no list of agents at ${registry.url}.`,
          maxBytes: MAX_INDEX_BYTES,
        }),
        registry,
      );
      if (!isObject(answer) || !Array.isArray(answer["agents"])) throw strange(registry.name);
      return answer["agents"];
    });
    return Array.isArray(index) ? index : [];
  }

  return {
    id: "lobehub",

    async search(words, most) {
      const hits = (await agents()).flatMap((agent): readonly Hit[] => {
        const id = textAt(agent, "identifier");
        const { title, description, tags } = about(agent);
        const text = `${id} ${title} ${description} ${tags.join(" ")}`.toLowerCase();
        return ID.test(id) && words.every((word) => text.includes(word))
          ? [{ name: id, identifier: `${PREFIX}${id}`, source: registry.url, description: description || title }]
          : [];
      });
      return [{ place: "lobehub", hits: hits.slice(0, most) }];
    },

    async fetch(identifier, into) {
      const id = identifier.slice(PREFIX.length);
      if (!ID.test(id))
        throw new UserError(`"${identifier}" is not an agent of LobeHub.`, {
          hint: "Use lobehub/AGENT; `hermes skills search WORDS --source lobehub` lists agents.",
          exitCode: 2,
        });
      const agent = toJson(
        await askRegistry(guarded, registry, `/${id}.json`, {
          signal,
          missing: `${registry.name} has no agent "${id}".`,
        }),
        registry,
      );
      if (!isObject(agent) || textAt(agent["config"], "systemRole").trim() === "") throw strange(registry.name);
      const root = join(into, "source");
      writeFiles(join(root, id), [{ path: "SKILL.md", bytes: Buffer.from(skillOf(id, agent)) }], registry.name);
      return { root, url: `${registry.url}/${id}.json`, path: id };
    },
  };
}

function about(agent: Json): {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
} {
  const meta = isObject(agent) && isObject(agent["meta"]) ? agent["meta"] : {};
  const tags = Array.isArray(meta["tags"]) ? meta["tags"].filter((tag) => typeof tag === "string") : [];
  return { title: textAt(meta, "title"), description: textAt(meta, "description"), tags };
}

/** Converts an agent's instructions to a skill. Frontmatter values are JSON strings, which are valid YAML. */
function skillOf(id: string, agent: Json): string {
  const { title, description, tags } = about(agent);
  const role = isObject(agent) ? textAt(agent["config"], "systemRole") : "";
  const line = (text: string): string => JSON.stringify(text.replaceAll(/\s+/g, " ").trim());
  const head = [
    "---",
    `name: ${id}`,
    `description: ${line((description || title || id).slice(0, 1000))}`,
    ...(tags.length === 0 ? [] : ["metadata:", "  hermes:", `    tags: [${tags.slice(0, 20).map(line).join(", ")}]`]),
    "---",
  ];
  return `${head.join("\n")}\n\n# ${(title || id).replaceAll(/\s+/g, " ").trim()}\n\n${role.trim()}\n`;
}
