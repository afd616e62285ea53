/** Why the system refused something, in words that go on a sentence; `undefined` when it is no such failure. */
export function systemReason(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? WHY[code] : undefined;
}

const WHY: { readonly [code: string]: string } = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "its disk is read-only",
  ENOSPC: "no space is left on its disk",
  EDQUOT: "your share of its disk is used up",
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of this path is a file, not a folder",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links form a loop",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open",
  EIO: "its disk reports an input/output error",
};
