import { after, test } from "node:test";
import { terminalContract } from "hermes-agent/testing";
import { SshBackend } from "./ssh-backend.ts";
import { Sshd, WITHOUT_SSHD } from "./testing/sshd.ts";

// req: terminal.backend-ssh
if (WITHOUT_SSHD !== undefined) test("terminal contract: ssh", { skip: WITHOUT_SSHD }, () => {});
else {
  const host = await Sshd.start();
  after(() => host[Symbol.asyncDispose]());
  const skip = {
    "removed-is-said": "a host is not ours to remove",
    "removed-mid-command": "a host is not ours to remove",
    "file-in-the-place": "the host of this test is this machine",
  };
  terminalContract("ssh", () => new SshBackend(host.config()), {
    kind: "real",
    cut: () => host.cut(),
    hugeBytes: 1_000_000_000,
    skip,
  });
}
