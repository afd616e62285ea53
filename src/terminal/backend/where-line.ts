import type { SandboxState, TerminalBackend } from "../../contract/providers/terminal.ts";

/**
 * Where a command would run, in the one line that approvals have for it.
 * @param user The user whose rights the command takes, if not the one who runs Hermes: `root` for `sudo`.
 */
export function whereLine(backend: TerminalBackend, sandbox: SandboxState | "left" | undefined, user?: string): string {
  const place = backend.label ?? backend.id;
  const rights = user === undefined ? "with your rights" : `as ${user}`;
  if (backend.isolated) return `${place}, isolated from this machine`;
  if (sandbox === "left") return `${place}, outside the sandbox, ${rights}`;
  if (sandbox?.kind === "on") return `${place}, in a sandbox: ${sandbox.words}`;
  return `${place}, ${rights} and ${user === undefined ? "" : "with "}no sandbox${sandbox?.kind === "missing" ? ` (${sandbox.words})` : ""}`;
}
