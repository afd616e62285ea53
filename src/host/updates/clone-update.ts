import { UserError } from "../../contract/common/failure.ts";
import type { UpdateCheck, UpdateOptions, UpdateResult } from "../../contract/services/update-service.ts";
import { runProgram } from "../plugins/install/run-program.ts";
import { versionOf, type UpdatePorts } from "./installation.ts";
import { previousOf, savePrevious } from "./previous.ts";

const SHOWN = 20;
/** Runs nothing of the repository's configuration, and asks for no password. */
const SAFE = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];

/** Compares a clone with the branch that it follows. */
export async function checkClone(ports: UpdatePorts, options: UpdateOptions): Promise<UpdateCheck> {
  const { root } = ports;
  const git = gitIn(ports, options.signal);
  const { remote, branch } = await sourceOf(git, options.branch);
  await git("fetch", "--quiet", "--no-tags", remote, branch);
  const [current, latest] = [await git("rev-parse", "HEAD"), await git("rev-parse", "FETCH_HEAD")];
  const subjects = lines(await git("log", "--format=%h %s", `HEAD..${latest}`));
  const own = lines(await git("log", "--format=%h %s", `${latest}..HEAD`));
  const changed = lines(await git("status", "--porcelain", "--untracked-files=no"));
  const obstacle =
    changed.length > 0
      ? `${root} has uncommitted changes (${changed[0]!.slice(3)}${changed.length > 1 ? ` and ${changed.length - 1} more` : ""}).`
      : own.length > 0 && subjects.length > 0
        ? `${root} has ${own.length} ${own.length === 1 ? "commit" : "commits"} that ${remote}/${branch} does not have.`
        : undefined;
  return {
    kind: "clone",
    root,
    current: current.slice(0, 12),
    latest: latest.slice(0, 12),
    newer: subjects.length > 0,
    changes: subjects.slice(0, SHOWN),
    count: subjects.length,
    obstacle,
    hint:
      obstacle === undefined
        ? undefined
        : changed.length > 0
          ? "Commit or stash them, then update."
          : "Merge or rebase by hand: git pull.",
  };
}

/** Moves a clone to the newest commit, and back if that does not start. */
export async function updateClone(ports: UpdatePorts, options: UpdateOptions): Promise<UpdateResult> {
  const { root } = ports;
  const check = await checkClone(ports, options);
  if (check.obstacle !== undefined) throw new UserError(`${check.obstacle} Nothing was changed.`, { hint: check.hint });
  const version = await versionOf(ports, options.signal);
  if (!check.newer) return { kind: "clone", from: check.current, to: check.latest, unchanged: true, version };
  const git = gitIn(ports, options.signal);
  const from = await git("rev-parse", "HEAD");
  await git("merge", "--quiet", "--ff-only", "FETCH_HEAD");
  return {
    kind: "clone",
    from: check.current,
    to: check.latest,
    unchanged: false,
    version: await startsOrBack(ports, from, options.signal),
  };

  async function startsOrBack(where: UpdatePorts, before: string, signal?: AbortSignal): Promise<string> {
    try {
      const started = await versionOf(where, signal);
      savePrevious(where, { kind: "clone", root, from: before, to: await git("rev-parse", "HEAD") });
      return started;
    } catch (cause) {
      await git("reset", "--quiet", "--keep", before);
      throw new UserError(
        `The new version does not start, so the update was taken back: ${cause instanceof Error ? cause.message : String(cause)}`,
        { hint: `${root} is at ${before.slice(0, 12)} again.`, cause },
      );
    }
  }
}

/** Returns to the commit before the last update. */
export async function rollBackClone(ports: UpdatePorts): Promise<UpdateResult> {
  const { root } = ports;
  const previous = previousOf(ports, "clone");
  const git = gitIn(ports);
  const changed = lines(await git("status", "--porcelain", "--untracked-files=no"));
  if (changed.length > 0)
    throw new UserError(`${root} has uncommitted changes (${changed[0]!.slice(3)}). Nothing was changed.`, {
      hint: "Commit or stash them first.",
    });
  const now = await git("rev-parse", "HEAD");
  if (now !== previous.to)
    throw new UserError(`${root} is at ${now.slice(0, 12)}, not at the updated commit ${previous.to.slice(0, 12)}.`, {
      hint: `To return anyway: git -C ${root} reset --keep ${previous.from.slice(0, 12)}`,
    });
  await git("reset", "--quiet", "--keep", previous.from);
  const version = await versionOf(ports);
  savePrevious(ports, { kind: "clone", root, from: previous.to, to: previous.from });
  return { kind: "clone", from: now.slice(0, 12), to: previous.from.slice(0, 12), unchanged: false, version };
}

type Git = (...args: readonly string[]) => Promise<string>;

function gitIn({ root, env, signal }: UpdatePorts, own?: AbortSignal): Git {
  return async (...args) =>
    (
      await runProgram("git", [...SAFE, "-C", root, ...args], {
        cwd: root,
        env: { ...env, GIT_TERMINAL_PROMPT: "0", GIT_ALLOW_PROTOCOL: "https:http:ssh:git:file" },
        signal: own === undefined ? signal : AbortSignal.any([signal, own]),
      })
    ).trimEnd();
}

/** The branch that the clone follows, or the named one of the same remote. */
async function sourceOf(git: Git, branch?: string): Promise<{ readonly remote: string; readonly branch: string }> {
  const here = await git("rev-parse", "--abbrev-ref", "HEAD");
  const configured = async (key: string): Promise<string | undefined> =>
    git("config", "--get", `branch.${here}.${key}`).catch(() => undefined); // No value is an error of git.
  const remote = (await configured("remote")) ?? lines(await git("remote"))[0];
  if (remote === undefined)
    throw new UserError("This clone has no remote to update from.", { hint: "git remote add origin URL" });
  if (branch !== undefined && !/^[\w][\w./-]*$/.test(branch))
    throw new UserError(`"${branch}" is not a branch name.`, { exitCode: 2 });
  const followed = (await configured("merge"))?.replace(/^refs\/heads\//, "");
  return { remote, branch: branch ?? followed ?? (here === "HEAD" ? "main" : here) };
}

function lines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}
