import {
  defineTool,
  type JsonSchema,
  type Plugin,
  type Reach,
  type RiskContext,
  type Assessment,
} from "hermes-agent/plugin";
import type { CronjobInput } from "./use-jobs.ts";

/** What else the original takes (`provider`, `skill`, `reason`, `include_disabled`) is taken, too. */
const INPUT = {
  type: "object",
  properties: {
    action: { type: "string", description: "create, list, update, pause, resume, run or remove" },
    job_id: { type: "string" },
    prompt: { type: "string", description: "The run knows only this" },
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
    script: { type: "string", description: "In ~/.hermes/scripts; runs first, and the prompt gets what it prints" },
    no_agent: { type: "boolean", description: "Only the script; what it prints is delivered" },
    context_from: { type: "array", items: { type: "string" }, description: "Jobs whose last output the prompt gets" },
    enabled_toolsets: { type: "array", items: { type: "string" } },
    workdir: { type: "string", description: "Absolute" },
  },
  required: ["action"],
} as const satisfies JsonSchema;

/** The seeds' three names, for who asks for them: a toolset that begins with `hermes-` is in no default. */
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
      description: "Scheduled jobs. A run is a session of its own, with nobody there; its answer is delivered.",
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
        "Makes a scheduled job. Each run is a session of its own with nobody there, and its final answer is delivered.",
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
        properties: { include_disabled: { type: "boolean", description: "Paused and finished ones too" } },
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
      description: "Removes a scheduled job for good.",
      input: { type: "object", properties: { job_id: { type: "string" } }, required: ["job_id"] },
      effect: "write",
      assess: (input) => ({ touches: [], egress: reachOf({ ...input, action: "remove" }) }),
      execute: (input, call) => use({ ...input, action: "remove" }, call.sessionId),
    }),
  );
};

/** Once strangers' words are in the conversation, whoever wrote them may want the job: a person is asked, and told whose words they are. */
function reachOf({ action, job_id, schedule, prompt }: CronjobInput): readonly Reach[] {
  if (action === "list") return [];
  const which =
    job_id ?? (prompt === undefined ? "" : `“${prompt.length > 200 ? `${prompt.slice(0, 199)}…` : prompt}”`);
  return [
    { kind: "change", what: `the schedule: ${action} ${which}${schedule === undefined ? "" : ` (${schedule})`}` },
  ];
}

export default register;
