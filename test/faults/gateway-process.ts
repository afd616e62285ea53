import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { NewUser } from "../end-to-end/support/test-user.ts";
import { withTimeout } from "../../src/testing/wait-for.ts";

/** Starts `chat-gateway.ts`; resolves when it serves. */
export async function startGateway(
  port: number,
  { home, folder }: NewUser,
  point = "never",
  words = "",
): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ["--conditions=hermes-source", join(import.meta.dirname, "chat-gateway.ts"), String(port), point, words],
    {
      env: { PATH: process.env["PATH"], HOME: home, LOOPBACK_CHAT_ALLOWED_USERS: "ada" },
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [first] = (await withTimeout(once(child.stdout, "data"), { what: "the process prints a line" })) as [Buffer];
  if (first.toString() !== "serving\n") throw new Error(`the gateway printed ${JSON.stringify(first.toString())}`);
  return child;
}

export async function died(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null)
    await withTimeout(once(child, "exit"), { what: "the process exits" });
}
