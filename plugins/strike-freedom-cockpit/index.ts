import type { Plugin } from "hermes-agent/plugin";
import { gaugesOf } from "./gauges-of.ts";

/** /cockpit: activity of the last day and week, as text or, for the page, as JSON. */
const register: Plugin = (ctx) => {
  ctx.command({
    name: "cockpit",
    description: "show the agent's activity of the last day and week",
    argsHint: "[json]",
    async run(args) {
      const gauges = gaugesOf(await ctx.sessions.list({ limit: 5_000 }), Date.now());
      return args.trim() === "json"
        ? JSON.stringify(gauges)
        : gauges.map(({ name, day, week }) => `${name}: ${day} today, ${week} in a week`).join("\n");
    },
  });
};

export default register;
