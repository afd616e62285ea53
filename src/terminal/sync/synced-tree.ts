import { join } from "node:path";
import { judgePath } from "../../safety/paths/paths.ts";
import { LEFT_OUT, OWN_PREFIX, type TreeInEnvironment } from "./remote-script.ts";

/** A folder of this machine and its like in a place. */
export interface SyncedTree {
  /** Display name. */
  readonly label: string;
  /** Path of the local folder, with all links resolved. */
  readonly here: string;
  readonly there: TreeInEnvironment;
  /** Folders and files below it that take part; empty: all. */
  readonly parts: readonly string[];
  /** False where the place's changes stay there. */
  readonly bothWays: boolean;
  /** Files that hold secrets and were declared: sent, closed to others. */
  readonly secrets: ReadonlySet<string>;
  /** The user's home and the agent's. */
  readonly home: string;
  readonly agentHome: string;
}

/** Names that an editor, a shell or a tool runs when the user opens the folder. */
const RUN_BY_THEMSELVES = new Set([".vscode", ".idea", ".envrc", ".husky"]);
const MAX_PATH = 1_000;

/** A relative path that takes part, from either side. */
export function takesPart(path: string, { parts }: Pick<SyncedTree, "parts">): boolean {
  const names = path.split("/");
  // A backslash or a control character would be read as something else by one tool or the other.
  if (
    path.length > MAX_PATH ||
    /[\x00-\x1f\x7f\\]/.test(path) ||
    names.some((name) => name === "" || name === "." || name === "..")
  )
    return false;
  if (names.some((name) => LEFT_OUT.includes(name) || name.startsWith(OWN_PREFIX))) return false;
  return parts.length === 0 || parts.some((part) => path === part || path.startsWith(`${part}/`));
}

/** Why a file of this machine is not sent. */
export function notSent(path: string, tree: SyncedTree): string | undefined {
  const question = places(path, tree);
  const { answer, key, reason } = judgePath({ ...question, access: "read" });
  if (answer === "allow") return undefined;
  // Declared files are sent, but never the agent's own keys.
  return tree.secrets.has(path) && key !== "agent secrets" ? undefined : reason;
}

/**
 * Why a change of the environment is not applied here. No one is asked, so changes that would need approval are
 * refused.
 */
export function notTaken(path: string, tree: SyncedTree, access: "write" | "create" | "delete"): string | undefined {
  const question = places(path, tree);
  for (const wanted of ["read", access] as const) {
    const { answer, reason } = judgePath({ ...question, access: wanted });
    if (answer !== "allow") return reason;
  }
  const names = path.toLowerCase().split("/");
  return names.some((name) => RUN_BY_THEMSELVES.has(name))
    ? `${question.path} runs automatically when the folder is opened.`
    : undefined;
}

function places(path: string, { here, home, agentHome }: SyncedTree) {
  const whole = join(here, path);
  return { path: whole, literal: whole, home, agentHome, roots: [here] };
}
