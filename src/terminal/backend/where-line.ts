import type { SandboxState, TerminalBackend } from "../../contract/providers/terminal.ts";

/** Where a command would run, in the one line that approvals have for it. */
export function whereLine(backend: TerminalBackend, sandbox: SandboxState | "left" | undefined): string {
  const place = backend.label ?? backend.id;
  if (backend.isolated) return `${place}, isolated from this machine`;
  if (sandbox === "left") return `${place}, outside the sandbox, with your rights`;
  if (sandbox?.kind === "on") return `${place}, in a sandbox: ${sandbox.words}`;
  return `${place}, with your rights and no sandbox${sandbox?.kind === "missing" ? ` (${sandbox.words})` : ""}`;
}
