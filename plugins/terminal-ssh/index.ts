import { provideTerminal, syncing, type Availability, type Plugin, type Probe } from "hermes-agent/plugin";
import { sshTarget } from "./ssh-target.ts";

const register: Plugin = (ctx) => {
  const available = async (probe: Probe): Promise<Availability> => {
    if ((await probe.which("ssh")) === undefined) return { ok: false, reason: "ssh is not on PATH.", needs: ["ssh"] };
    const target = sshTarget(ctx.config);
    return "missing" in target ? { ok: false, reason: target.missing, needs: ["terminal.ssh_host"] } : { ok: true };
  };
  provideTerminal(
    ctx,
    { id: "ssh", ...syncing("another host over ssh", ctx.config), isolated: false, elsewhere: true, available },
    async () => {
      const { SshBackend } = await import("./ssh-backend.ts");
      return new SshBackend(ctx.config, { home: ctx.home, log: ctx.log });
    },
  );
};

export default register;
