import { CHROMIUMS } from "hermes-agent/browser";
import { defineTool, ToolFailure, type Plugin } from "hermes-agent/plugin";
import type { Meeting } from "./meeting.ts";

/** Joins a call of Google Meet and takes down what is said. One call at a time; it ends with the agent. */
const register: Plugin = (ctx) => {
  let meeting: Meeting | undefined;
  let joining: { readonly stop: AbortController; readonly done: Promise<Meeting> } | undefined;
  const giveUp = async (reason: string): Promise<void> => {
    joining?.stop.abort(failed(`The call was not joined: ${reason}.`));
    await joining?.done.catch(() => undefined); // Told to whoever asked to join.
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
    if (meeting === undefined) throw failed("No call was joined.", "meet_join joins one.");
    return meeting;
  };
  const words = () =>
    meeting === undefined ? undefined : { source: `the call ${meeting.id}`, host: new URL(meeting.url).host };

  ctx.tool(
    defineTool({
      ...common,
      name: "meet_join",
      description: "Joins a Google Meet call as a guest and takes down its live captions. Tell the people in it.",
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
      provenance: () => undefined,
      reach: ({ url }) => [{ kind: "fetch", what: url }],
      async execute({ url: given, guest_name, duration }, call) {
        const origin = String(ctx.config["origin"] ?? "https://meet.google.com");
        const url = URL.parse(given.trim());
        const id = /^\/(?:lookup\/)?([a-z0-9]{3,}(?:-[a-z0-9]{3,}){0,2})\/?$/.exec(url?.pathname ?? "")?.[1];
        if (url === null || url.origin !== origin || url.username !== "" || id === undefined)
          throw failed(`That is no address of a call: ${origin}/abc-defg-hij is one.`);
        const time = /^(\d{1,4})([smh])$/.exec(duration?.trim() ?? "");
        if (duration !== undefined && time === null) throw failed(`"${duration}" is no time: 90s, 30m, 2h.`);
        if (joining !== undefined) throw failed("It is about to join a call already.", "meet_leave gives that up.");
        if (meeting !== undefined && !meeting.over)
          throw failed(`It is in the call ${meeting.id} already.`, "meet_leave leaves it.");
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
      description: "How it stands with the call.",
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
      description: "What was said in the call.",
      input: {
        type: "object",
        properties: { last: { type: "integer", minimum: 1, description: "Only so many lines" } },
      },
      effect: "read",
      provenance: words,
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
      description: "Leaves the call.",
      input: { type: "object", properties: {} },
      provenance: () => undefined,
      reach: () => [],
      async execute() {
        if (joining !== undefined) {
          await giveUp("meet_leave was called");
          return { success: true, alive: false, leaveReason: "meet_leave was called" };
        }
        if (meeting === undefined || meeting.over) throw failed("It is in no call.");
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
