import { provideTerminal, syncing, type Plugin } from "hermes-agent/plugin";
import { closedOff } from "./closed-off.ts";

const register: Plugin = (ctx) => {
  const available = async () => {
    const { findEngine } = await import("./engine.ts");
    const found = await findEngine(ctx.config);
    return "engine" in found
      ? ({ ok: true } as const)
      : ({ ok: false, reason: found.reason, needs: ["docker or podman"] } as const);
  };
  // Where the folder itself is there, nothing is brought back.
  const mounted = ctx.config["docker_mount_cwd_to_workspace"] === true;
  provideTerminal(
    ctx,
    {
      id: "docker",
      ...syncing("a docker or podman container", mounted ? {} : ctx.config),
      mounted: mounted ? process.cwd() : undefined,
      isolated: closedOff(ctx.config),
      elsewhere: true,
      available,
    },
    async () => {
      const { DockerBackend } = await import("./docker-backend.ts");
      return new DockerBackend(ctx.config, ctx.log, { home: ctx.home });
    },
  );
};

export default register;
