import { UserError } from "../../../contract/common/failure.ts";
import { systemReason } from "../../../contract/common/system-reason.ts";

/** What the system refused, in words; `undefined` when the error is not of that kind. A folder that cannot be written is no bug of ours. */
export function systemFailure(error: unknown): UserError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { syscall, path } = error as NodeJS.ErrnoException;
  const why = systemReason(error);
  if (syscall === "uv_cwd")
    return new UserError("The folder that this was started in is gone.", {
      hint: "Go to one that is there, and start again: cd",
      cause: error,
    });
  if (why === undefined || syscall === undefined) return undefined;
  // What is written to an open file has no path any more, and it is the disk's matter, not the file's.
  if (path === undefined)
    return syscall === "write" || syscall === "fsync"
      ? new UserError(`A file could not be written: ${why}.`, {
          hint: "`hermes doctor` names the disk and what is left on it.",
          cause: error,
        })
      : undefined;
  return new UserError(`${path} could not be ${VERBS[syscall] ?? "used"}: ${why}.`, {
    hint: "Look at its owner, mode and disk; `hermes doctor` names what the agent needs.",
    cause: error,
  });
}

const VERBS: { readonly [syscall: string]: string } = {
  mkdir: "made",
  open: "opened",
  write: "written",
  rename: "replaced",
  unlink: "removed",
  scandir: "listed",
  stat: "looked at",
  lstat: "looked at",
};
