import { UserError } from "../../../contract/common/failure.ts";

/** The source of a plugin. */
export type PluginSpec =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "archive"; readonly path: string }
  | { readonly kind: "git"; readonly url: string; readonly ref?: string; readonly sub?: string }
  | { readonly kind: "npm"; readonly name: string; readonly version?: string }
  | { readonly kind: "pypi"; readonly name: string; readonly version?: string };

const FORMS = "owner/repo, a Git URL, a folder, a .tar.gz, npm:NAME[@VERSION] or pypi:NAME[==VERSION]";
const ARCHIVE = /\.(tgz|tar\.gz|tar)$/;

/**
 * Parses the source that the user typed after `hermes plugins install`. `#sub/folder` behind a Git URL, a path behind
 * `owner/repo` or `.git`, and the address in a browser (`/tree/BRANCH/PATH`) name a folder inside.
 * @throws {UserError} that lists the accepted forms.
 */
export function readSpec(text: string, options: { readonly ref?: string; readonly home: string }): PluginSpec {
  const spec = text.trim();
  const ref = options.ref === undefined ? {} : { ref: options.ref };
  if (options.ref?.startsWith("-"))
    throw new UserError(`"${options.ref}" is not a valid name of a branch, tag or commit.`, { exitCode: 2 });
  const npm = /^npm:((?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*)(?:@([\w.^~<>=*-]+))?$/i.exec(spec);
  if (npm !== null) return { kind: "npm", name: npm[1]!, version: npm[2] };
  const pypi = /^pypi:([a-z0-9][\w.-]*)(?:==([\w.!+-]+))?$/i.exec(spec);
  if (pypi !== null) return { kind: "pypi", name: pypi[1]!, version: pypi[2] };
  if (/^(\/|\.\.?(\/|$)|~(\/|$))/.test(spec)) {
    const path = spec.replace(/^~(?=\/|$)/, options.home);
    return ARCHIVE.test(path) ? { kind: "archive", path } : { kind: "folder", path };
  }
  const browser = /^(https:\/\/[^/]+\/[^/]+\/[^/]+)\/tree\/([^/]+)(?:\/(.+?))?\/?$/.exec(spec);
  if (browser !== null)
    return { kind: "git", url: `${browser[1]}.git`, ref: options.ref ?? browser[2]!, ...inner(browser[3]) };
  if (/^(https?|ssh|git|file):\/\//.test(spec) || /^git@[\w.-]+:/.test(spec)) {
    const [address = "", hash] = spec.split("#") as [string, string?];
    const inGit = /^(.*\.git)\/(.+)$/.exec(address);
    return { kind: "git", url: inGit?.[1] ?? address, ...ref, ...inner(hash ?? inGit?.[2]) };
  }
  const short = /^([A-Za-z0-9][\w.-]*)\/([A-Za-z0-9][\w.-]*)(?:\/(.+))?$/.exec(spec);
  if (short !== null && !spec.includes(".."))
    return {
      kind: "git",
      url: `https://github.com/${short[1]}/${short[2]!.replace(/\.git$/, "")}.git`,
      ...ref,
      ...inner(short[3]),
    };
  throw new UserError(`"${spec}" is not a source that Hermes can fetch a plugin from.`, {
    hint: `Use ${FORMS}.`,
    exitCode: 2,
  });
}

function inner(sub: string | undefined): { readonly sub?: string } {
  if (sub === undefined || sub === "") return {};
  if (sub.startsWith("/") || sub.split("/").includes(".."))
    throw new UserError(`"${sub}" leads out of the repository.`, { exitCode: 2 });
  return { sub: sub.replace(/\/$/, "") };
}
