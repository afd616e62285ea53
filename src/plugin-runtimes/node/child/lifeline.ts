import { Worker } from "node:worker_threads";

/**
 * Watches on a thread of its own whether the agent lives, so that an endless loop of a plugin cannot outlive it: nothing is ever said on
 * descriptor 5, which closes when the agent ends. What ends in order has ended by the time this strikes.
 */
export function holdLifeline(): void {
  const code = `
    const { Socket } = require("node:net");
    const agent = new Socket({ fd: 5, readable: true, writable: false });
    agent.on("error", () => undefined);
    agent.on("close", () => setTimeout(() => process.kill(process.pid, "SIGKILL"), 1200));
    agent.resume();
  `;
  new Worker(code, { eval: true, stdin: false }).unref();
}
