import { CHROMIUMS } from "hermes-agent/browser";
import { defineTool, ToolFailure, type Plugin } from "hermes-agent/plugin";
import type { Meeting } from "./meeting.ts";

/** Joins a Google Meet call and transcribes it. One call at a time; it ends with the agent. */
const register: Plugin = (ctx) => {
  let meeting: Meeting | undefined;
  let joining: { readonly stop: AbortController; readonly done: Promise<Meeting> } | undefined;
  const giveUp = async (reason: string): Promise<void> => {
    joining?.stop.abort(failed(`The agent did not join the call: ${reason}.`));
    await joining?.done.catch(() => undefined); // The joining call gets the error.
  };
  const common = {
    toolset: "google_meet",
    emoji: "📹",
    needsOneOf: CHROMIUMS,
    refusal: { success: false },
    effect: "network",
  } as const;
  const failed = (message: string, hint?: string) =>
    new ToolFailure("failed", message, { data: { success: false }, hint });
  const now = (): Meeting => {
    if (meeting === undefined) throw failed("There is no call.", "Join one with meet_join.");
    return meeting;
  };
  const source = () =>
    meeting === undefined ? undefined : { source: `the call ${meeting.id}`, host: new URL(meeting.url).host };

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
      async execute({ url: given, guest_name, duration }, call) {
        const origin = String(ctx.config["origin"] ?? "https://meet.google.com");
        const url = URL.parse(given.trim());
        const id = /^\/(?:lookup\/)?([a-z0-9]{3,}(?:-[a-z0-9]{3,}){0,2})\/?$/.exec(url?.pathname ?? "")?.[1];
        if (url === null || url.origin !== origin || url.username !== "" || id === undefined)
          throw failed(`This is not the address of a call. Use one like ${origin}/abc-defg-hij.`);
        const time = /^(\d{1,4})([smh])$/.exec(duration?.trim() ?? "");
        if (duration !== undefined && time === null)
          throw failed(`"${duration}" is not a duration. Use one like 90s, 30m or 2h.`);
        if (joining !== undefined) throw failed("The agent is already joining a call.", "meet_leave cancels that.");
        if (meeting !== undefined && !meeting.over)
          throw failed(`The agent is already in the call ${meeting.id}.`, "Leave it with meet_leave.");
        const longestMs =
          time === null
            ? undefined
            : Number(time[1]) * { s: 1_000, m: 60_000, h: 3_600_000 }[time[2] as "s" | "m" | "h"];
        const stop = new AbortController();
        const signal = AbortSignal.any([call.signal, stop.signal]);
        const name = guest_name ?? String(ctx.config["guest_name"] ?? "Hermes Agent");
        joining = {
          stop,
          done: import("./meeting.ts").then(({ Meeting: Joined }) =>
            Joined.join(ctx, { id, url: url.href, name, longestMs, signal }),
          ),
        };
        try {
          meeting = await joining.done;
        } finally {
          joining = undefined;
        }
        return { success: true, ...meeting.status() };
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
        return { success: true, ...now().status() };
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
      assess: () => ({ untrusted: () => source() ?? false }),
      async execute({ last }) {
        const all = now().lines();
        return {
          success: true,
          meetingId: now().id,
          lines: last === undefined ? all : all.slice(-last),
          total: all.length,
          path: now().file,
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
        if (joining !== undefined) {
          await giveUp("meet_leave was called");
          return { success: true, alive: false, leaveReason: "meet_leave was called" };
        }
        if (meeting === undefined || meeting.over) throw failed("The agent is in no call.");
        await meeting.leave("meet_leave was called");
        return { success: true, ...meeting.status() };
      },
    }),
  );
  ctx.onUnload(async () => {
    await giveUp("the agent ended");
    await meeting?.leave("the agent ended");
  });
};

export default register;
