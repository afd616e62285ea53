/** A repository of GitHub, or a skill in one. */
export interface GithubPlace {
  readonly owner: string;
  readonly repo: string;
  /** Branch, tag or commit. */
  readonly ref?: string;
  /** The way to one skill, or its name. */
  readonly sub?: string;
}

/** `owner/repo/sub`, and the addresses of `github.com` that a browser or git takes. `undefined`: it is elsewhere. */
export function githubPlace(from: string): GithubPlace | undefined {
  const short = /^([A-Za-z0-9][\w.-]*)\/([A-Za-z0-9][\w.-]*)(?:\/(.+?))?\/?$/.exec(from);
  const tree = /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+)\/tree\/([^/]+)(?:\/(.+?))?\/?$/.exec(from);
  const clone = /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?(?:[#](.+))?$/.exec(from);
  const [, owner, repo, third, fourth] = short ?? tree ?? clone ?? [];
  if (owner === undefined || repo === undefined) return undefined;
  const [ref, sub] = tree === null || short !== null ? [undefined, third] : [third, fourth];
  if (sub?.split("/").some((name) => name === ".." || name === "") === true) return undefined;
  return {
    owner,
    repo: repo.replace(/\.git$/, ""),
    ref,
    sub,
  };
}
