import { createHash } from "node:crypto";
import { join } from "node:path";
import { definedFields, isObject, UserError, type Json, type JsonObject } from "hermes-agent/plugin";
import { inTurns } from "./in-turns.ts";
import { askRegistry, registryOf, strange, textAt, toJson, type Registry } from "./registry.ts";
import type { Fetched, Hit, SkillSource, SourcePorts } from "./skill-source.ts";
import { MAX_BYTES, MAX_FILES, tooMuch, writeFiles, type SentFile } from "./write-files.ts";

const PREFIX = "clawhub/";
const SLUG = /^[a-z0-9][a-z0-9._-]{0,99}$/i;
const VERSION = /^[0-9A-Za-z][0-9A-Za-z.+-]{0,59}$/;
const AT_ONCE = 6;
const HOUR_MS = 3_600_000;

interface Listed {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * The public registry of OpenClaw: `clawhub/SLUG`, `clawhub/OWNER/SLUG`, with `@VERSION` one that is not the newest.
 * Anybody may publish there.
 */
export function clawhubSource({ fetch: guarded, settings, signal }: SourcePorts): SkillSource {
  const registry = registryOf("clawhub", "ClawHub", "https://clawhub.ai", settings);
  const ask = async (path: string, missing: string, maxBytes?: number): Promise<Uint8Array> =>
    askRegistry(
      guarded,
      registry,
      `/api/v1${path}`,
      definedFields({
        signal,
        missing,
        maxBytes,
      }),
    );

  return {
    id: "clawhub",

    async search(words, most) {
      const answer = toJson(
        await ask(
          `/search?q=${encodeURIComponent(words.join(" "))}&limit=${most}&nonSuspiciousOnly=true`,
          `${registry.name} has no search at ${registry.url}.`,
        ),
        registry,
      );
      if (!isObject(answer) || !Array.isArray(answer["results"])) throw strange(registry.name);
      const hits = (answer["results"] as readonly Json[]).flatMap((one): readonly Hit[] => {
        const slug = textAt(one, "slug");
        return SLUG.test(slug)
          ? [
              {
                name: slug,
                identifier: `${PREFIX}${slug}`,
                source: registry.url,
                description: textAt(one, "summary") || textAt(one, "displayName"),
              },
            ]
          : [];
      });
      return [{ place: "clawhub", hits: hits.slice(0, most) }];
    },

    async fetch(identifier, into) {
      const { owner, slug, version: asked } = parts(identifier);
      const missing = `${registry.name} has no skill "${slug}".`;
      const detail = toJson(await ask(`/skills/${slug}`, missing), registry);
      const named = isObject(detail) && isObject(detail["skill"]) ? textAt(detail["skill"], "slug") : "";
      if (!isObject(detail) || !SLUG.test(named)) throw strange(registry.name);
      if (owner !== undefined && textAt(detail["owner"], "handle").toLowerCase() !== owner.toLowerCase())
        throw new UserError(`"${slug}" of ${registry.name} does not belong to "${owner}".`, {
          hint: "Another author may own the name now: check the skill first.",
          exitCode: 2,
        });
      const objections = objectionsOf(detail["moderation"], named, registry);
      const version = asked ?? textAt(detail["latestVersion"], "version");
      if (!VERSION.test(version)) throw strange(registry.name);
      const message = toJson(
        await ask(
          `/skills/${named}/versions/${encodeURIComponent(version)}`,
          `${registry.name} has no version ${version} of "${named}".`,
        ),
        registry,
      );
      const about = isObject(message) && isObject(message["version"]) ? message["version"] : undefined;
      const files =
        about === undefined || !Array.isArray(about["files"])
          ? undefined
          : (about["files"] as readonly Json[]).map(listed);
      if (about === undefined || files === undefined || files.some((file) => file === undefined))
        throw strange(registry.name);
      const all = files as readonly Listed[];
      if (all.length > MAX_FILES || all.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES)
        throw tooMuch(`"${named}" of ${registry.name}`);
      const sent = await inTurns(all, AT_ONCE, async (file): Promise<SentFile> => {
        const bytes = await ask(
          `/skills/${named}/file?path=${encodeURIComponent(file.path)}&version=${encodeURIComponent(version)}`,
          `${registry.name} lists a file that it does not have: ${JSON.stringify(file.path)}.`,
          file.size + 1,
        );
        if (createHash("sha256").update(bytes).digest("hex") !== file.sha256)
          throw new UserError(
            `${JSON.stringify(file.path)} of "${named}" does not match the checksum of ${registry.name}.`,
          );
        return { path: file.path, bytes };
      });
      const root = join(into, "source", named.toLowerCase());
      writeFiles(root, sent, registry.name);
      return {
        root: join(into, "source"),
        url: `${registry.url}/${named}@${version}`,
        path: named.toLowerCase(),
        objections: [...objections, ...young(about["createdAt"], settings)],
      } satisfies Fetched;
    },
  };
}

function parts(identifier: string): { readonly owner?: string; readonly slug: string; readonly version?: string } {
  const [way = "", version] = identifier.slice(PREFIX.length).split("@") as [string, string?];
  const [first = "", second, ...more] = way.split("/");
  const slug = second ?? first;
  if (
    !SLUG.test(slug) ||
    more.length > 0 ||
    (second !== undefined && !SLUG.test(first)) ||
    (version !== undefined && !VERSION.test(version))
  )
    throw new UserError(`"${identifier}" is not a skill of ClawHub.`, {
      hint: "Use clawhub/SLUG or clawhub/OWNER/SLUG, optionally with @VERSION.",
      exitCode: 2,
    });
  return { slug, owner: second === undefined ? undefined : first, version };
}

function listed(value: Json): Listed | undefined {
  const [path, sha256] = [textAt(value, "path"), textAt(value, "sha256")];
  const size = isObject(value) ? value["size"] : undefined;
  return path !== "" && /^[0-9a-f]{64}$/.test(sha256) && typeof size === "number" && size >= 0
    ? { path, sha256, size }
    : undefined;
}

/** The verdict of the registry's moderators. @throws {UserError} for what they blocked. */
function objectionsOf(moderation: Json | undefined, slug: string, { name }: Registry): readonly string[] {
  if (!isObject(moderation)) return [];
  if (moderation["isMalwareBlocked"] === true || moderation["verdict"] === "malicious")
    throw new UserError(`"${slug}" was not downloaded: ${name} blocked it as malware.`);
  return moderation["isSuspicious"] === true ? [`${name} marks it as suspicious`] : [];
}

/** A version that was just published has not been reviewed. */
function young(createdAt: Json | undefined, settings: JsonObject): readonly string[] {
  const hours = typeof settings["cooling_off_hours"] === "number" ? settings["cooling_off_hours"] : 72;
  const age = typeof createdAt === "number" ? Date.now() - createdAt : 0;
  return age >= hours * HOUR_MS
    ? []
    : [`this version is ${Math.max(0, Math.floor(age / HOUR_MS))} hours old, but skills.cooling_off_hours is ${hours}`];
}
