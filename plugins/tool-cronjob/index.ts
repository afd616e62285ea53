import {
  defineTool,
  type JsonSchema,
  type Plugin,
  type Egress,
  type RiskContext,
  type Assessment,
} from "hermes-agent/plugin";
import type { CronjobInput } from "./use-jobs.ts";

/** The handler also accepts the original's other arguments (`provider`, `skill`, `reason`, `include_disabled`). */
const INPUT = {
  type: "object",
  properties: {
    action: { type: "string", description: "create, list, update, pause, resume, run or remove" },
    job_id: { type: "string" },
    prompt: { type: "string", description: "All that the run knows" },
    schedule: { type: "string", description: "30m, every 2h, every day at 9am, 0 9 * * 1-5, ISO time" },
    name: { type: "string" },
    repeat: { type: "integer" },
    deliver: { type: "string", description: "origin, local, PLATFORM[:CHAT]" },
    skills: { type: "array", items: { type: "string" } },
    model: {
      type: "object",
      properties: { provider: { type: "string" }, model: { type: "string" } },
      required: ["model"],
    },
    script: { type: "string", description: "In ~/.hermes/scripts; runs first, and its output is added to the prompt" },
    no_agent: { type: "boolean", description: "Run only the script and deliver its output" },
    context_from: {
      type: "array",
      items: { type: "string" },
      description: "Jobs whose last output is added to the prompt",
    },
    enabled_toolsets: { type: "array", items: { type: "string" } },
    workdir: { type: "string", description: "Absolute" },
  },
  required: ["action"],
} as const satisfies JsonSchema;

/** The original's three tool names, on request: no default toolset includes one that begins with `hermes-`. */
const COMPAT_TOOLSET = "hermes-cronjobs";

/** cronjob: scheduled jobs. */
const register: Plugin = (ctx) => {
  const use = async (input: CronjobInput, sessionId: string) =>
    (await import("./use-jobs.ts")).useJobs(input, await ctx.jobs(), { sessionId });
  const assess = async (input: CronjobInput, call: RiskContext): Promise<Assessment> =>
    input.action === "list"
      ? { effect: "read", egress: [] }
      : {
          effect: "write",
          touches: [],
          egress: reachOf(input),
          risk: await (await import("./job-risk.ts")).riskOfJob(input, await ctx.jobs(), await ctx.chats(), call),
        };

  ctx.tool(
    defineTool({
      name: "cronjob",
      toolset: "cronjob",
      emoji: "⏰",
      description:
        "Manages scheduled jobs. Each run is a new session without a user; Hermes sends its answer to `deliver`.",
      input: INPUT,
      refusal: { success: false },
      assess,
      execute: (input, call) => use(input, call.sessionId),
    }),
  );
  ctx.tool(
    defineTool({
      name: "schedule_cronjob",
      toolset: COMPAT_TOOLSET,
      emoji: "⏰",
      description:
        "Creates a scheduled job. Each run is a new session without a user; Hermes sends its answer to `deliver`.",
      input: {
        type: "object",
        properties: {
          prompt: { type: "string" },
          schedule: { type: "string", description: "30m, every 2h, every day at 9am, 0 9 * * *, ISO time" },
          name: { type: "string" },
          repeat: { type: "integer" },
          deliver: { type: "string" },
        },
        required: ["prompt", "schedule"],
      },
      effect: "write",
      assess: (input, call) => assess({ ...input, action: "create" }, call),
      execute: (input, call) => use({ ...input, action: "create" }, call.sessionId),
    }),
  );
  ctx.tool(
    defineTool({
      name: "list_cronjobs",
      toolset: COMPAT_TOOLSET,
      emoji: "⏰",
      description: "Lists the scheduled jobs.",
      input: {
        type: "object",
        properties: { include_disabled: { type: "boolean", description: "Include paused and finished ones" } },
      },
      effect: "read",
      assess: () => ({ egress: [] }),
      execute: ({ include_disabled }, call) =>
        use({ action: "list", include_disabled: include_disabled ?? false }, call.sessionId),
    }),
  );
  ctx.tool(
    defineTool({
      name: "remove_cronjob",
      toolset: COMPAT_TOOLSET,
      emoji: "⏰",
      description: "Deletes a scheduled job.",
      input: { type: "object", properties: { job_id: { type: "string" } }, required: ["job_id"] },
      effect: "write",
      assess: (input) => ({ touches: [], egress: reachOf({ ...input, action: "remove" }) }),
      execute: (input, call) => use({ ...input, action: "remove" }, call.sessionId),
    }),
  );
};

/**
 * Once untrusted content is in the conversation, its author may want the job: the user is asked and sees the source.
 */
function reachOf({ action, job_id, schedule, prompt }: CronjobInput): readonly Egress[] {
  if (action === "list") return [];
  const which =
    job_id ?? (prompt === undefined ? "" : `“${prompt.length > 200 ? `${prompt.slice(0, 199)}…` : prompt}”`);
  return [
    { kind: "change", what: `the schedule: ${action} ${which}${schedule === undefined ? "" : ` (${schedule})`}` },
  ];
}

export default register;
