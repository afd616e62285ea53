import { cpSync, existsSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import type { Published, PublishRequest } from "../../contract/plugins/skill.ts";
import { withoutLogin } from "../../safety/text/visible.ts";
import { runProgram } from "../plugins/install/run-program.ts";
import { specOf } from "./fetch-source.ts";

/**
 * Runs nothing from the repository and no git hooks, never prompts for a password, and checks out links as files with
 * text.
 */
const SAFE = [
  "-c",
  "core.symlinks=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "init.templateDir=",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "submodule.recurse=false",
];

/**
 * Pushes a folder to a Git repository, as one commit on a new or existing branch, with the user's git identity. Never
 * overwrites what others pushed.
 * @param stage An empty folder to work in.
 */
export async function publishFolder(
  folder: string,
  { repo, path, branch, message }: PublishRequest,
  stage: string,
  ports: { readonly home: string; readonly env: { readonly [name: string]: string }; readonly signal: AbortSignal },
): Promise<Published> {
  const spec = specOf(repo, ports.home);
  const address = spec.kind === "git" ? spec.url : resolve(spec.path);
  const url = withoutLogin(address);
  if (spec.kind === "git" && (spec.sub !== undefined || spec.ref !== undefined))
    throw new UserError(`"${withoutLogin(repo)}" names more than a repository.`, {
      hint: "Use owner/repo or a Git URL; --branch selects the branch.",
      exitCode: 2,
    });
  const clone = join(stage, "repository");
  const run = {
    cwd: stage,
    signal: ports.signal,
    env: { ...ports.env, GIT_TERMINAL_PROMPT: "0", GIT_ALLOW_PROTOCOL: "https:http:ssh:git:file" },
  };
  const git = (...args: readonly string[]): Promise<string> => runProgram("git", [...SAFE, ...args], run);
  const inClone = (...args: readonly string[]): Promise<string> => git("-C", clone, ...args);

  const there = (await git("ls-remote", "--heads", "--", address, `refs/heads/${branch}`)).trim() !== "";
  await git(
    "clone",
    "--quiet",
    "--depth",
    "1",
    "--no-tags",
    ...(there ? ["--branch", branch] : []),
    "--",
    address,
    clone,
  );
  const target = join(clone, path);
  refuseNoFolder(clone, dirname(path), url);
  const known = existsSync(target);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
  cpSync(folder, target, { recursive: true, verbatimSymlinks: true });
  // Without this, what was a link there stays one in the commit.
  await inClone("rm", "-r", "--cached", "--quiet", "--ignore-unmatch", "--", path);
  await inClone("add", "--all", "--force", "--", path);
  if (known && (await inClone("status", "--porcelain", "--", path)).trim() === "") return { url, branch, known };
  await inClone("commit", "--quiet", "-m", message);
  await inClone("push", "--quiet", "origin", `HEAD:refs/heads/${branch}`);
  return { url, branch, known, commit: (await inClone("rev-parse", "HEAD")).trim() };
}

/** @throws {UserError} where something else than a folder is on the way. */
function refuseNoFolder(clone: string, path: string, url: string): void {
  const names = path.split("/");
  const other = names
    .map((_, at) => names.slice(0, at + 1).join("/"))
    .find((above) => lstatSync(join(clone, above), { throwIfNoEntry: false })?.isDirectory() === false);
  if (other !== undefined)
    throw new UserError(`"${other}" of ${url} is a link or a file, so no skill can be published under it.`, {
      hint: "Skills are published in the folder skills of a repository.",
    });
}
