import { Worker } from "node:worker_threads";

/**
 * Watches on a separate thread whether the agent lives, so that an endless loop of a plugin cannot outlive it.
 * Descriptor 5 carries no data and closes when the agent ends. The delay lets an orderly shutdown finish first.
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
