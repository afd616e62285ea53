/** Node says of what its permissions refuse neither what it was nor what would allow it. In place, since plugins may have looked at the error before. */
export function deniedAccess(cause: unknown): unknown {
  const { code, permission, resource } = (cause ?? {}) as {
    readonly code?: unknown;
    readonly permission?: unknown;
    readonly resource?: unknown;
  };
  if (!(cause instanceof Error) || code !== "ERR_ACCESS_DENIED" || typeof permission !== "string") return cause;
  const what = typeof resource === "string" && resource !== "" ? resource : "that";
  const words = WORDS[permission]?.(what);
  if (words !== undefined) cause.message = `This plugin came from elsewhere and may not ${words}`;
  return cause;
}

const WORDS: { readonly [permission: string]: (what: string) => string } = {
  FileSystemRead: (what) => `read ${what}: its manifest names no such folder in grants.read.`,
  FileSystemWrite: (what) => `write ${what}: its manifest names no such folder in grants.write.`,
  ChildProcess: () => "start programs.",
  WorkerThreads: () => "start threads.",
  Addon: () => "load native code.",
};
