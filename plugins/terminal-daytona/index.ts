import { needsVariables, provideTerminal, syncing, type Plugin } from "hermes-agent/plugin";

const register: Plugin = (ctx) =>
  provideTerminal(
    ctx,
    {
      id: "daytona",
      ...syncing("a Daytona sandbox", ctx.config),
      isolated: true,
      elsewhere: true,
      available: (probe) => needsVariables(probe, ["DAYTONA_API_KEY"]),
    },
    async () => {
      const { DaytonaBackend } = await import("./daytona-backend.ts");
      return new DaytonaBackend({
        config: ctx.config,
        home: ctx.home,
        log: ctx.log,
        fetch: ctx.fetch,
        key: ctx.env("DAYTONA_API_KEY"),
        url: ctx.env("DAYTONA_API_URL"),
        target: ctx.env("DAYTONA_TARGET"),
      });
    },
  );

export default register;
