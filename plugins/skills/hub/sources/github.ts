import { offeredIn } from "../offered.ts";
import { openStage } from "../stage.ts";
import { readTaps, type Tap } from "../hub-state.ts";
import { GithubApi } from "./github-api.ts";
import { githubApi, githubAuth } from "./github-auth.ts";
import { githubPlace } from "./github-location.ts";
import type { Fetched, Searched, SkillSource, SourcePorts } from "./skill-source.ts";

/** Repositories to search in addition to the user's taps. */
export const DEFAULT_TAPS: readonly Tap[] = ["openai/skills", "anthropics/skills"].map((repo) => ({
  repo,
  path: "skills/",
}));

/**
 * Repositories and folders. GitHub is read by its API if a token or an App is configured, otherwise with git: without
 * a token the API allows sixty requests an hour, fewer than one search needs.
 */
export function githubSource(ports: SourcePorts): SkillSource {
  const { shelf, settings, signal } = ports;

  async function fetch(identifier: string, into: string): Promise<Fetched> {
    // owner/repo means the user's own server if one is configured; a github.com address means GitHub.
    const ownServer = githubApi(settings).setting !== undefined;
    const place = ownServer && identifier.includes("://") ? undefined : githubPlace(identifier);
    const auth = place === undefined ? undefined : githubAuth(ports);
    const byApi =
      place !== undefined && (auth !== undefined || ownServer)
        ? await new GithubApi(ports, auth).fetch(place, into)
        : undefined;
    return byApi ?? shelf.fetch(repositoryOf(identifier, shelf.folder), into, signal);
  }

  async function searchTap(words: readonly string[], repo: string): Promise<Searched> {
    await using stage = openStage(shelf);
    try {
      const { root, url } = await fetch(repo, stage.folder);
      const found = (await offeredIn(root, shelf)).filter(({ name, description }) =>
        words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
      );
      return {
        place: repo,
        hits: found.map(({ name, description }) => ({ name, identifier: `${repo}/${name}`, source: url, description })),
      };
    } catch (cause) {
      return {
        place: repo,
        hits: [],
        failed: cause instanceof Error ? cause.message.split("\n", 1)[0]! : String(cause),
      };
    }
  }

  return {
    id: "github",
    fetch,
    search: (words, _most, wanted) =>
      Promise.all(
        [...readTaps(shelf.folder), ...DEFAULT_TAPS]
          .filter(({ repo }) => wanted === undefined || repo === wanted)
          .map(({ repo }) => searchTap(words, repo)),
      ),
  };
}

/** `repo/skill` of a tap is fetched by the tap's own address. */
function repositoryOf(identifier: string, skills: string): string {
  return (
    readTaps(skills).find(({ repo }) => identifier === repo || identifier.startsWith(`${repo}/`))?.repo ?? identifier
  );
}
