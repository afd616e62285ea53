/**
 * Adds the target and the missing grant to Node's permission errors, which name neither. Changes the error itself,
 * because plugins may already hold it.
 */
export function deniedAccess(cause: unknown): unknown {
  const { code, permission, resource } = (cause ?? {}) as {
    readonly code?: unknown;
    readonly permission?: unknown;
    readonly resource?: unknown;
  };
  if (!(cause instanceof Error) || code !== "ERR_ACCESS_DENIED" || typeof permission !== "string") return cause;
  const what = typeof resource === "string" && resource !== "" ? resource : "that";
  const words = WORDS[permission]?.(what);
  if (words !== undefined) cause.message = `This plugin is not your own and may not ${words}`;
  return cause;
}

const WORDS: { readonly [permission: string]: (what: string) => string } = {
  FileSystemRead: (what) => `read ${what}: its manifest does not list that folder in grants.read.`,
  FileSystemWrite: (what) => `write ${what}: its manifest does not list that folder in grants.write.`,
  ChildProcess: () => "start programs.",
  WorkerThreads: () => "start threads.",
  Addon: () => "load native code.",
};
