import type { Plugin } from "hermes-agent/plugin";
import { countByDay } from "./count-by-day.ts";

const DAYS = 14;
const MAX = 90;

/** /example-dashboard: conversations by day, as text or, for the page, as JSON. */
const register: Plugin = (ctx) => {
  ctx.command({
    name: "example-dashboard",
    description: "show the number of conversations of the last days",
    argsHint: "[json] [DAYS]",
    async run(args) {
      const [, json, days] = /^(json)?\s*(\d{1,3})?$/.exec(args.trim()) ?? [];
      const counted = countByDay(
        await ctx.sessions.list({ limit: 5_000 }),
        Math.min(Number(days ?? DAYS) || DAYS, MAX),
        Date.now(),
      );
      if (json !== undefined) return JSON.stringify(counted);
      return counted.map(({ day, sessions }) => `${day}  ${"█".repeat(Math.min(sessions, 60))} ${sessions}`).join("\n");
    },
  });
};

export default register;
