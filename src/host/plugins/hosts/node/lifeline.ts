import { Worker } from "node:worker_threads";

/**
 * Watches on a thread of its own whether the agent lives, so that an endless loop of a plugin cannot outlive it. What ends in order has
 * ended by the time this strikes.
 */
export function holdLifeline(): void {
  const code = `
    const agent = process.ppid;
    const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    const lives = () => {
      try {
        return process.ppid === agent && process.kill(agent, 0);
      } catch {
        return false;
      }
    };
    while (lives()) wait(1000);
    wait(3000);
    process.kill(process.pid, "SIGKILL");
  `;
  new Worker(code, { eval: true, stdin: false }).unref();
}
