/**
 * `node --conditions=hermes-source bench/gateway-memory.ts [MESSAGES…]`: how much memory a gateway has above its idle
 * state after so many short messages in ten chats (default: 1000 and 10000), in MiB.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { chatScene } from "../test/end-to-end/support/chatting.ts";

const CHATS = 10;
const AT_ONCE = 10;
const MOST = 120;
const counts = process.argv.slice(2).map(Number);
const wanted = counts.length === 0 ? [1_000, 10_000] : counts;

await using scene = await chatScene([{ text: "Noted." }], {
  config: "display:\n  busy_input_mode: queue\n",
});
const gateway = await scene.serve();
let sent = 0;
await send(CHATS); // Every chat has its conversation.
await new Promise((resolve) => setTimeout(resolve, 3_000));
const idle = residentMib(gateway.pid!);
process.stdout.write(`idle: ${idle} MiB\n`);
let over = false;
for (const count of wanted) {
  const startedAt = performance.now();
  await send(count - (sent - CHATS));
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const above = residentMib(gateway.pid!) - idle;
  over ||= above > MOST;
  process.stdout.write(
    `${count} messages: ${above} MiB above idle (at most ${MOST}), ${Math.round(performance.now() - startedAt) / 1_000} s\n`,
  );
}
gateway.kill("SIGTERM");
process.exitCode = over ? 1 : 0;

/** Sends messages to the chats in turn, ten at a time, and waits for the answers. */
async function send(count: number): Promise<void> {
  for (let left = count; left > 0; left -= AT_ONCE) {
    const batch = Math.min(AT_ONCE, left);
    for (let at = 0; at < batch; at++, sent++)
      await scene.chat.write(`room${sent % CHATS}`, "ada", `message ${sent}`, `id${sent}`);
    for (let at = 0; at < batch; at++) await scene.chat.arrived();
  }
}

function residentMib(pid: number): number {
  try {
    const [, kib = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Math.round(Number(kib) / 1_024);
  } catch {
    return Math.round(Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1_024);
  }
}
