import { spawnSync } from "node:child_process";
import { after, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { terminalContract } from "hermes-agent/testing";
import { SshBackend } from "./ssh-backend.ts";
import { Sshd, WITHOUT_SSHD } from "./testing/sshd.ts";

// req: terminal.backend-ssh
if (WITHOUT_SSHD !== undefined) test("terminal contract: ssh", { skip: WITHOUT_SSHD }, () => {});
else {
  const host = await Sshd.start();
  after(() => host[Symbol.asyncDispose]());
  const skip = { "removed-is-said": "a host is not ours to remove", "removed-mid-command": "a host is not ours to remove", "file-in-the-place": "the host of this test is this machine" };
  terminalContract("ssh", () => new SshBackend(host.config()), { kind: "real", cut: () => cut(host), hugeBytes: 1_000_000_000, skip });
}

/** Ends when our clients have heard of it: until then, what is sent to them is on its way to a host that is lost. */
async function cut(host: Sshd): Promise<void> {
  const clients = () => spawnSync("pgrep", ["-P", String(process.pid), "-f", "^([^ ]*/)?ssh "], { encoding: "utf8" }).stdout.split("\n").filter(Boolean);
  const before = clients();
  host.cut();
  for (let tries = 0; tries < 100 && clients().some((pid) => before.includes(pid)); tries += 1) await wait(50);
}
