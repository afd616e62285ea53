import type { Json } from "hermes-agent/plugin";

const DEFAULT_S = 2;

/** Time between SIGTERM and SIGKILL: `terminal.daemon_term_grace_seconds`. */
export function stopGraceMs(setting: (path: string) => Json | undefined): number {
  const seconds = setting("terminal.daemon_term_grace_seconds");
  return (typeof seconds === "number" && seconds > 0 ? seconds : DEFAULT_S) * 1_000;
}
