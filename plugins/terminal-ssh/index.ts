import type { Plugin, TerminalBackend } from "hermes-agent/plugin";
import type { SshBackend } from "./ssh-backend.ts";
import { sshTarget } from "./ssh-target.ts";

const register: Plugin = (ctx) => {
  let backend: Promise<SshBackend> | undefined;
  const load = () => (backend ??= import("./ssh-backend.ts").then((module) => new module.SshBackend(ctx.config, { home: ctx.home, log: ctx.log })));
  const provider: TerminalBackend = {
    id: "ssh",
    label: "another host over ssh",
    isolated: false,
    elsewhere: true,
    available: async (probe) => {
      if ((await probe.which("ssh")) === undefined) return { ok: false, reason: "There is no ssh on PATH.", needs: ["ssh"] };
      const target = sshTarget(ctx.config);
      return "missing" in target ? { ok: false, reason: target.missing, needs: ["terminal.ssh_host"] } : { ok: true };
    },
    open: async (options, signal) => (await load()).open(options, signal),
    [Symbol.asyncDispose]: async () => {
      await (await backend)?.[Symbol.asyncDispose]();
    },
  };
  ctx.provide("terminal", provider);
  ctx.onUnload(async () => {
    await provider[Symbol.asyncDispose]();
  });
};

export default register;
