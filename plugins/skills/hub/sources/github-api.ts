import { createHash } from "node:crypto";
import { join } from "node:path";
import { definedFields, isObject, UserError, type Json } from "hermes-agent/plugin";
import { githubApi, type GithubAuth } from "./github-auth.ts";
import type { GithubPlace } from "./github-location.ts";
import { inTurns } from "./in-turns.ts";
import { askRegistry, strange, toJson } from "./registry.ts";
import type { Fetched, SourcePorts } from "./skill-source.ts";
import { MAX_BYTES, MAX_FILES, tooMuch, writeFiles, type SentFile } from "./write-files.ts";

interface Entry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
  readonly size: number;
}

const AT_ONCE = 6;

/** What GitHub's API is asked for. */
export class GithubApi {
  readonly #ports: SourcePorts;
  readonly #auth: GithubAuth | undefined;

  constructor(ports: SourcePorts, auth: GithubAuth | undefined) {
    this.#ports = ports;
    this.#auth = auth;
  }

  /** One file of the newest commit. */
  async file({ owner, repo }: GithubPlace, path: string, missing: string): Promise<Uint8Array> {
    return this.#ask(
      `/repos/${owner}/${repo}/contents/${path.split("/").map(encodeURIComponent).join("/")}`,
      "application/vnd.github.raw",
      missing,
    );
  }

  /**
   * The `SKILL.md` of every skill in a repository, and all files of the one that is meant. Each file is what the commit
   * says it is.
   * @returns `undefined` where the repository is too large to be read file by file.
   */
  async fetch(place: GithubPlace, into: string): Promise<Fetched | undefined> {
    const { owner, repo, ref = "HEAD", sub } = place;
    const { name, url, setting } = githubApi(this.#ports.settings);
    const missing = `${name} has no repository ${owner}/${repo}${place.ref === undefined ? "" : ` with "${place.ref}"`} that ${this.#auth === undefined ? "everybody" : "this token"} may read.`;
    const commit = Buffer.from(
      await this.#ask(
        `/repos/${owner}/${repo}/commits/${encodeURIComponent(ref)}`,
        "application/vnd.github.sha",
        missing,
      ),
    )
      .toString("utf8")
      .trim();
    if (!/^[0-9a-f]{40}$/.test(commit)) throw strange(name);
    const tree = toJson(
      await this.#ask(
        `/repos/${owner}/${repo}/git/trees/${commit}?recursive=1`,
        "application/vnd.github+json",
        missing,
        MAX_BYTES,
      ),
      { name, url },
    );
    if (!isObject(tree) || !Array.isArray(tree["tree"])) throw strange(name);
    if (tree["truncated"] === true) return undefined;
    const entries = (tree["tree"] as readonly Json[]).filter(isEntry);
    const { files: wanted, headsOnly } = meant(entries, sub);
    if (sub === undefined && wanted.length > MAX_FILES) return undefined;
    if (wanted.length > MAX_FILES || wanted.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES)
      throw tooMuch(`${owner}/${repo}${sub === undefined ? "" : `/${sub}`}`);
    const files = await inTurns(wanted, AT_ONCE, (entry) => this.#blob(place, entry));
    const root = join(into, "source");
    writeFiles(root, files, `${name}: ${owner}/${repo}`);
    return {
      root,
      url: setting === undefined ? `https://github.com/${owner}/${repo}.git` : `${url}/repos/${owner}/${repo}`,
      commit,
      path: sub,
      headsOnly: headsOnly ? true : undefined,
    };
  }

  async #blob({ owner, repo }: GithubPlace, { path, sha, mode, size }: Entry): Promise<SentFile> {
    if (mode === "120000")
      throw new UserError(`The skill was not downloaded: ${JSON.stringify(path)} of ${owner}/${repo} is a link.`);
    const bytes = await this.#ask(
      `/repos/${owner}/${repo}/git/blobs/${sha}`,
      "application/vnd.github.raw",
      `GitHub lists a file that it does not have: ${JSON.stringify(path)}.`,
      size + 1,
    );
    if (createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex") !== sha)
      throw new UserError(
        `The skill was not downloaded: the content of ${JSON.stringify(path)} from ${owner}/${repo} does not match the checksum in its commit.`,
        {
          hint: "A proxy between this machine and GitHub may have changed the file. Try again on another network.",
        },
      );
    return { path, bytes, executable: mode === "100755" };
  }

  async #ask(path: string, accept: string, missing: string, maxBytes?: number): Promise<Uint8Array> {
    const api = githubApi(this.#ports.settings);
    const auth = this.#auth;
    return askRegistry(this.#ports.fetch, api, path, {
      headers: definedFields({
        accept,
        "x-github-api-version": "2022-11-28",
        authorization: auth === undefined ? undefined : `Bearer ${await auth.token()}`,
      }),
      signal: this.#ports.signal,
      missing,
      refused: auth === undefined ? undefined : `${api.name} does not accept ${auth.by}, or it has no access to this.`,
      ...definedFields({ maxBytes }),
    });
  }
}

function isEntry(value: Json): value is Json & Entry {
  return (
    isObject(value) &&
    typeof value["path"] === "string" &&
    typeof value["mode"] === "string" &&
    typeof value["type"] === "string" &&
    /^[0-9a-f]{40}$/.test(String(value["sha"])) &&
    (value["size"] === undefined || typeof value["size"] === "number")
  );
}

/** The files needed to choose a skill and to download it completely. */
function meant(
  entries: readonly Entry[],
  sub: string | undefined,
): { readonly files: readonly Entry[]; readonly headsOnly: boolean } {
  const files = entries.filter(({ type }) => type === "blob").map((entry) => ({ ...entry, size: entry.size ?? 0 }));
  const heads = files.filter(({ path }) => path === "SKILL.md" || path.endsWith("/SKILL.md"));
  const folders = heads.map(({ path }) => path.slice(0, -"SKILL.md".length));
  const named =
    sub === undefined ? [] : folders.filter((folder) => folder === `${sub}/` || folder.endsWith(`/${sub}/`));
  const chosen = named.length === 0 && folders.length === 1 ? folders : named;
  return chosen.length === 0
    ? { files: heads, headsOnly: heads.length > 0 }
    : { files: files.filter(({ path }) => chosen.some((folder) => path.startsWith(folder))), headsOnly: false };
}
