import type { Terminal } from "hermes-agent/plugin";
import { listeningIn } from "./machine-processes.ts";

const LIMIT_MS = 5_000;

/** TCP ports on which these processes of an environment, or their children, listen. Empty if unknown. */
export async function environmentPorts(
  terminal: Pick<Terminal, "run">,
  pids: readonly number[],
): Promise<readonly number[]> {
  if (pids.length === 0) return [];
  const script = `
tree() { printf '%s ' "$1"; for c in $(cat /proc/$1/task/*/children 2>/dev/null); do tree "$c"; done; }
for p in $(for r in ${pids.join(" ")}; do tree "$r"; done); do ls -l /proc/$p/fd; done 2>/dev/null | grep -o 'socket:\\[[0-9]*\\]'
echo --
cat /proc/${pids[0]}/net/tcp /proc/${pids[0]}/net/tcp6 2>/dev/null`;
  const { output } = await terminal.run(script, {
    beside: true,
    timeoutMs: LIMIT_MS,
    maxOutputBytes: 1_000_000,
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  const [sockets = "", table = ""] = output.split("\n--\n", 2);
  const listening = listeningIn(table);
  const ports = [...sockets.matchAll(/socket:\[(\d+)\]/g)].flatMap(([, inode]) => listening.get(inode!) ?? []);
  return [...new Set(ports)].sort((a, b) => a - b);
}
