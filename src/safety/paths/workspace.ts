import { posix } from "node:path";
import { type Places, within } from "./path-zones.ts";

/** Directories that only the system's owner writes into: their files are trusted. */
const SYSTEM = [
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/usr",
  "/etc",
  "/proc",
  "/sys",
  "/dev",
  "/opt",
  "/System",
  "/Library",
];

/** Where the agent itself keeps what pages and calls said, by its place in the agent's home. */
const UNTRUSTED = /^(?:workspace\/meetings|cache\/(?:web|screenshots))(?:\/|$)|^cache\/results\/(?:.*\/)?page-[^/]*$/i;

/**
 * Whether a session treats a file as untrusted: neither below its directory nor the system's nor the agent's, or stored
 * untrusted content.
 */
export function isOutsideWorkspace(path: string, { cwd, home, agentHome }: Places & { readonly cwd: string }): boolean {
  const own = agentHome ?? posix.join(home, ".hermes");
  const saved = within(path, own);
  if (saved !== undefined && UNTRUSTED.test(saved)) return true;
  return path.startsWith("/") && ![cwd, own, ...SYSTEM].some((directory) => within(path, directory) !== undefined);
}

/** Names that agents and their tools read as instructions, wherever they lie. */
const INSTRUCTIONS = new Set(
  "agents.md claude.md gemini.md hermes.md .hermes.md soul.md memory.md user.md skill.md copilot-instructions.md .cursorrules .windsurfrules .clinerules .mcp.json hooks.json".split(
    " ",
  ),
);
const INSTRUCTION_FOLDERS = [
  ".cursor/rules",
  ".claude",
  ".hermes",
  ".agents",
  ".codex",
  ".gemini",
  "skills",
  "memories",
];

/** Whether a later session would read this file as instructions: memory, skills, project notes, policy. */
export function holdsInstructions(path: string, places: Places): boolean {
  const name = posix.basename(path).toLowerCase();
  if (INSTRUCTIONS.has(name) || within(path, places.agentHome ?? posix.join(places.home, ".hermes")) !== undefined)
    return true;
  return INSTRUCTION_FOLDERS.some((folder) => `${path}/`.includes(`/${folder}/`));
}

/** The agent's own working files in its home. */
const WORKING_FILES = /^(?:cache|logs|sandboxes|workspace|tmp|scratch|images|audio)(?:\/|$)/i;

/** Whether other conversations read this file as instructions: as `holdsInstructions`, without working files. */
export function instructsOthers(path: string, places: Places): boolean {
  const own = within(path, places.agentHome ?? posix.join(places.home, ".hermes"));
  return holdsInstructions(path, places) && (own === undefined || !WORKING_FILES.test(own));
}

/** `http://localhost:3000`, `127.0.0.1:80`: nothing leaves the machine. */
export function isLoopback(address: string): boolean {
  const host = hostOf(address);
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host ?? "");
}

/** The host in an address of the web, of scp or of a socket; `undefined` if there is none. */
export function hostOf(address: string): string | undefined {
  try {
    return (
      new URL(address.includes("://") ? address : `none://${address}`).hostname.replace(/^\[|\]$/g, "").toLowerCase() ||
      undefined
    );
  } catch {
    return undefined; // No address at all.
  }
}
