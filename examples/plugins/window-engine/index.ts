import type { ContextEngine, Plugin } from "hermes-agent/plugin";

/** Share of the model's window that a conversation may fill, and how many of its last turns stay. */
const FULL = 0.6;
const TURNS = 4;

/** Drops all but the last turns. It calls no model, so it costs nothing. */
export const windowEngine: ContextEngine = {
  name: "window",
  display_name: "The last turns",
  asked_from: FULL,
  should_compress: (_messages, _model, { prompt_tokens, context_length }) => prompt_tokens >= FULL * context_length,
  compress(messages, _model, { focus_topic }) {
    // A turn begins with the user's message, so calls and results stay together.
    const starts = messages.flatMap(({ role, content }, at) =>
      role === "user" && !content.startsWith("[Forgotten") ? [at] : [],
    );
    const from = starts.at(-TURNS) ?? 0;
    if (from === 0) return messages;
    const forgotten = messages.slice(0, from).filter(({ role }) => role === "user").length;
    const about =
      focus_topic === null
        ? []
        : messages
            .slice(0, from)
            .filter(({ role, content }) => role !== "tool" && content.toLowerCase().includes(focus_topic.toLowerCase()))
            .map(({ role, content }) => `${role}: ${content.slice(0, 500)}`);
    return [
      {
        role: "user",
        content: [`[Forgotten: ${forgotten} earlier messages of the user, and the answers]`, ...about].join("\n"),
      },
      ...messages.slice(from),
    ];
  },
};

const register: Plugin = (ctx) => {
  ctx.register_context_engine(windowEngine);
};

export default register;
