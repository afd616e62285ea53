import { defineTool, type Availability, type Plugin } from "hermes-agent/plugin";

/** send_message: sends to chats of the gateway, from its own conversations, and from others while it runs. */
const register: Plugin = (ctx) => {
  ctx.tool(
    defineTool({
      name: "send_message",
      toolset: "messaging",
      emoji: "✉️",
      description: "Sends a message to a chat, or lists the chats.",
      slots: ["platform"],
      input: {
        type: "object",
        properties: {
          action: { type: "string", enum: ["send", "list"] },
          target: { type: "string", description: "PLATFORM (its home channel) or PLATFORM:CHAT[:THREAD]" },
          message: { type: "string" },
        },
      },
      async available({ surface }): Promise<Availability> {
        const chats = await ctx.chats();
        if (chats.platforms().some(({ name }) => name === surface) || (await chats.running())) return { ok: true };
        return {
          ok: false,
          reason: "No gateway is running that could deliver messages. Start one with: hermes gateway",
        };
      },
      async assess(input, { sessionId }) {
        if (input.action === "list") return { effect: "read", untrusted: false, egress: [] };
        const { reachOfSending, riskOfSending } = await import("./send-target.ts");
        const chats = await ctx.chats();
        return {
          effect: "network",
          untrusted: false,
          egress: reachOfSending(input),
          risk: await riskOfSending(input, chats, await chats.speaker(sessionId)),
        };
      },
      async execute(input, call) {
        const [{ listTargets, sendMessage }, { directoryIn }] = await Promise.all([
          import("./send-message.ts"),
          import("./channel-directory.ts"),
        ]);
        const chats = await ctx.chats();
        const speaker = await chats.speaker(call.sessionId);
        return input.action === "list"
          ? listTargets(chats, speaker, await directoryIn(ctx.home))
          : sendMessage(input, chats, speaker, `tool:${call.sessionId}:${call.callId}`);
      },
    }),
  );
};

export default register;
