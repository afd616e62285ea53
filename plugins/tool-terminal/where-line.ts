import type { TerminalBackend } from "hermes-agent/plugin";

/** Where a command would run, in the one line that approvals have for it. */
export function whereLine(backend: TerminalBackend): string {
  const place = backend.label ?? backend.id;
  if (backend.isolated) return `${place}, isolated from this machine`;
  return backend.sandbox === undefined ? `${place}, with your rights and no sandbox` : `${place}, in a sandbox: ${backend.sandbox}`;
}
