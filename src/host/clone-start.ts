import type { Check } from "../contract/common/check.ts";

declare global {
  /** Set by the launcher of a clone (scripts/clone/start.cjs). */
  var CLONE_START: CloneStart | undefined;
}

interface CloneStart {
  /** Why this process runs from the sources and not from a build of them. */
  readonly why?: string;
  /** Why later starts are not faster. */
  obstacle(): string | undefined;
}

/** How a clone was started. An installed package has no sources to start from. */
export function checkCloneStart(): readonly Check[] {
  const start = globalThis.CLONE_START;
  if (start === undefined) return [];
  if (start.why === undefined) return [{ name: "start", ok: true, detail: "from a build that matches the sources" }];
  const outlook = start.obstacle() ?? "Hermes makes a build when this command ends.";
  return [{ name: "start", ok: true, detail: `from the sources, which is slower: ${start.why}. ${outlook}` }];
}
