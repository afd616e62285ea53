import { CHROMIUMS } from "hermes-agent/browser";
import { defineTool, type Plugin } from "hermes-agent/plugin";
import { CurrentCall } from "./current-call.ts";

const REASON = "meet_leave was called";

/** Joins a Google Meet call and transcribes it. One call at a time; it ends with the agent. */
const register: Plugin = (ctx) => {
  const calls = new CurrentCall(ctx);
  const common = {
    toolset: "google_meet",
    emoji: "📹",
    needsOneOf: CHROMIUMS,
    refusal: { success: false },
    effect: "network",
  } as const;

  ctx.tool(
    defineTool({
      ...common,
      name: "meet_join",
      description: "Join a Google Meet call as a guest and transcribe its live captions. Tell the participants.",
      input: {
        type: "object",
        properties: {
          url: { type: "string" },
          guest_name: { type: "string" },
          duration: { type: "string", description: "30m, 2h, 90s; default until meet_leave" },
        },
        required: ["url"],
      },
      timeoutMs: 180_000,
      assess: ({ url }) => ({ egress: [{ kind: "fetch", what: url }], untrusted: false }),
      async execute(input, call) {
        return { success: true, ...(await calls.join(input, call.signal)).status() };
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: "meet_status",
      description: "Show the state of the call.",
      input: { type: "object", properties: {} },
      effect: "read",
      async execute() {
        return { success: true, ...calls.current().status() };
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: "meet_transcript",
      description: "Show the transcript of the call.",
      input: {
        type: "object",
        properties: { last: { type: "integer", minimum: 1, description: "Number of last lines" } },
      },
      effect: "read",
      assess: () => ({ untrusted: () => calls.source() ?? false }),
      async execute({ last }) {
        const meeting = calls.current();
        const all = meeting.lines();
        return {
          success: true,
          meetingId: meeting.id,
          lines: last === undefined ? all : all.slice(-last),
          total: all.length,
          path: meeting.file,
        };
      },
    }),
  );
  ctx.tool(
    defineTool({
      ...common,
      name: "meet_leave",
      description: "Leave the call.",
      input: { type: "object", properties: {} },
      assess: () => ({ egress: [], untrusted: false }),
      async execute() {
        const left = await calls.leave(REASON);
        return left === undefined
          ? { success: true, alive: false, leaveReason: REASON }
          : { success: true, ...left.status() };
      },
    }),
  );
  ctx.onUnload(() => calls.close("the agent ended"));
};

export default register;
