import { UserError } from "../../../contract/common/failure.ts";
import { systemReason } from "../../../contract/common/system-reason.ts";

/**
 * Describes a refused system call, such as a write to a read-only folder; `undefined` for other errors. It is not a
 * bug in Hermes.
 */
export function systemFailure(error: unknown): UserError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { syscall, path } = error as NodeJS.ErrnoException;
  const why = systemReason(error);
  if (syscall === "uv_cwd")
    return new UserError("The current folder no longer exists.", {
      hint: "Change to an existing folder with cd, and try again.",
      cause: error,
    });
  if (why === undefined || syscall === undefined) return undefined;
  // A write to an open file reports no path; the cause is the disk, not the file.
  if (path === undefined)
    return syscall === "write" || syscall === "fsync"
      ? new UserError(`Cannot write a file: ${why}.`, {
          hint: "`hermes doctor` shows the disk and its free space.",
          cause: error,
        })
      : undefined;
  return new UserError(`Cannot ${VERBS[syscall] ?? "use"} ${path}: ${why}.`, {
    hint: "Check its owner, permissions and disk; `hermes doctor` lists what the agent needs.",
    cause: error,
  });
}

const VERBS: { readonly [syscall: string]: string } = {
  mkdir: "create",
  open: "open",
  write: "write",
  rename: "replace",
  unlink: "remove",
  scandir: "list",
  stat: "inspect",
  lstat: "inspect",
};
