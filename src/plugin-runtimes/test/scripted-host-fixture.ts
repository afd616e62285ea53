import { quietLog } from "../../testing/quiet-log.ts";
import type { HostLimits } from "../process/host-spec.ts";
import { HostProcess } from "../process/host-process.ts";

/**
 * Answers `initialize`, `ping` and `shutdown`, and every other request as `code` defines, with `message` and `say`
 * available.
 */
const program = (code: string): string => `
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  process.stdin.setEncoding("utf8").on("data", (text) => {
    for (const line of text.split("\\n").filter(Boolean)) {
      const message = JSON.parse(line);
      if (message.method === "initialize") say({ id: message.id, result: { protocol: 1 } });
      else if (message.method === "ping") say({ id: message.id, result: {} });
      else if (message.method === "shutdown") process.exit(0);
      else if (message.method !== undefined && message.id !== undefined) { ${code} }
    }
  });
`;

/** A runtime for tests whose behaviour is a few lines of JavaScript. */
export function scriptedHost(code: string, limits: Partial<HostLimits> = {}) {
  const log = quietLog();
  const faults: string[] = [];
  const host = new HostProcess(
    {
      name: "it",
      program: process.execPath,
      args: ["-e", program(code)],
      env: {},
      cwd: "/",
      initialize: {},
      wire: "standard",
      limits: { startMs: 60_000, silenceMs: 60_000, cpuSeconds: 60, endMs: 5_000, ...limits },
    },
    log,
  );
  const attach = (plugin: string, take: (method: string) => void = () => undefined): void =>
    host.attach(plugin, {
      serve: () => null,
      take,
      gone: () => undefined,
      fault: (reason) => void faults.push(`${plugin}: ${reason}`),
    });
  return { host, log, faults, attach };
}
