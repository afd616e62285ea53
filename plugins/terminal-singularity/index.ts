import { provideTerminal, type Plugin } from "hermes-agent/plugin";

const register: Plugin = (ctx) => {
  const available = async () => {
    const { findRuntime } = await import("./runtime.ts");
    const found = await findRuntime();
    return "runtime" in found
      ? ({ ok: true } as const)
      : ({ ok: false, reason: found.reason, needs: ["apptainer or singularity"] } as const);
  };
  provideTerminal(
    ctx,
    { id: "singularity", label: "an apptainer or singularity instance", isolated: true, elsewhere: true, available },
    async () => {
      const { SingularityBackend } = await import("./singularity-backend.ts");
      return new SingularityBackend(ctx.config, ctx.home, ctx.log);
    },
  );
};

export default register;
