import { cpSync, mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import type { FetchedSource } from "../../contract/plugins/skill.ts";
import { withoutLogin } from "../../safety/text/visible.ts";
import { cloneGit } from "../plugins/install/clone-git.ts";
import { checkTree } from "../plugins/install/check-tree.ts";
import { readSpec, type PluginSpec } from "../plugins/install/read-spec.ts";

/**
 * Copies a folder, or what a Git repository holds, into `into`. Nothing of it is run.
 * @throws {UserError} for what is neither, cannot be reached or leads out of itself.
 */
export async function fetchSource(
  from: string,
  into: string,
  ports: { readonly home: string; readonly env: { readonly [name: string]: string }; readonly signal: AbortSignal },
): Promise<FetchedSource> {
  const spec = specOf(from, ports.home);
  const root = join(into, "source");
  if (spec.kind === "git") {
    mkdirSync(into, { recursive: true, mode: 0o700 });
    const commit = await cloneGit(spec, root, ports);
    const url = withoutLogin(spec.url);
    checkTree(root, url);
    return { root, url, commit, path: spec.sub };
  }
  const folder = resolve(spec.path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UserError(`There is no folder ${folder}.`, { exitCode: 2 });
  checkTree(folder, folder);
  cpSync(folder, root, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !/\/(\.git|__pycache__)$/.test(path),
  });
  return { root, url: folder };
}

/** As for plugins, of which skills know less: there are no packages of them. */
export function specOf(from: string, home: string): Extract<PluginSpec, { kind: "git" | "folder" }> {
  const none = (cause?: unknown): UserError =>
    new UserError(`"${withoutLogin(from)}" is not a source of skills.`, {
      hint: "Use owner/repo, owner/repo/skill, a Git URL or a folder.",
      exitCode: 2,
      cause,
    });
  let spec: PluginSpec;
  try {
    spec = readSpec(from, { home });
  } catch (cause) {
    throw none(cause);
  }
  if (spec.kind === "git" || spec.kind === "folder") return spec;
  throw none();
}
