import type { HookName, HookHandler } from "../../contract/plugins/hook.ts";
import type { ChatIdentity } from "../../contract/services/hook-service.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { Hooks } from "../../engine/hooks/hooks.ts";
import type { EventHooks } from "./event-hooks.ts";

const OWNER = "hooks";
/** Words of a conversation, as far as they are handed on. */
const MAX_CHARS = 500;

interface Turn {
  readonly startedAt: number;
  readonly start: JsonObject;
  steps: number;
  asked: boolean;
  tools: { readonly name: string; readonly result: string }[];
  response: string;
}

/**
 * Forwards the agent's hooks to event hooks, so that every surface and turn is covered. Subscribes only to the hooks
 * that some event needs.
 */
export function watchEvents(
  hooks: Hooks,
  events: EventHooks,
  now: () => number,
  speaker: (sessionId: string) => ChatIdentity | undefined,
): Disposable {
  const listening: Disposable[] = [];
  const on = <K extends HookName>(name: K, handler: HookHandler<K>): void =>
    void listening.push(hooks.add(name, handler, OWNER));
  const turns = new Map<string, Turn>();
  const who = (platform: string, session_id: string): JsonObject => {
    const { user_id = "", session_key = session_id } = speaker(session_id) ?? {};
    return { platform, user_id, session_id, session_key };
  };

  if (events.subscribesTo("session")) {
    on(
      "on_session_start",
      ({ platform, session_id, parent_session_id }) =>
        parent_session_id === undefined && void events.emit("session:start", who(platform, session_id)),
    );
    on(
      "on_session_finalize",
      ({ platform, session_id, parent_session_id }) =>
        parent_session_id === undefined && void events.emit("session:end", who(platform, session_id ?? "")),
    );
    on("on_session_reset", ({ platform, session_id }) => void events.emit("session:reset", who(platform, session_id)));
  }
  if (events.subscribesTo("agent")) {
    on("pre_llm_call", ({ platform, session_id, turn_id, user_message, parent_session_id }) => {
      if (parent_session_id !== undefined) return;
      const { user_id = "", chat_id = "", thread_id = "", chat_type = "dm" } = speaker(session_id) ?? {};
      const start = {
        platform,
        user_id,
        chat_id,
        thread_id,
        chat_type,
        session_id,
        message: user_message.slice(0, MAX_CHARS),
      };
      turns.set(turn_id, { startedAt: now(), start, steps: 0, asked: false, tools: [], response: "" });
      events.emit("agent:start", start);
    });
    on("pre_api_request", ({ platform, session_id, turn_id }) => {
      const turn = turns.get(turn_id);
      if (turn === undefined || turn.asked) return; // A request that is sent again is no new step.
      turn.asked = true;
      const tools = turn.tools.splice(0);
      events.emit("agent:step", {
        platform,
        user_id: speaker(session_id)?.user_id ?? "",
        session_id,
        iteration: ++turn.steps,
        tool_names: tools.map(({ name }) => name),
        tools,
      });
    });
    on("post_api_request", ({ turn_id }) => {
      const turn = turns.get(turn_id);
      if (turn !== undefined) turn.asked = false;
    });
    on(
      "post_tool_call",
      ({ turn_id, tool_name, result }) =>
        void turns.get(turn_id)?.tools.push({ name: tool_name, result: result.slice(0, MAX_CHARS) }),
    );
    on("post_llm_call", ({ turn_id, assistant_response }) => {
      const turn = turns.get(turn_id);
      if (turn !== undefined) turn.response = assistant_response.slice(0, MAX_CHARS);
    });
    // A turn whose end could not be stored was never reported.
    on("on_session_finalize", ({ session_id }) =>
      [...turns].forEach(([id, { start }]) => start["session_id"] === session_id && turns.delete(id)),
    );
    on("on_session_end", ({ turn_id, completed, interrupted, model }) => {
      const turn = turns.get(turn_id);
      if (turn === undefined) return;
      turns.delete(turn_id);
      events.emit("agent:end", {
        ...turn.start,
        model,
        response: turn.response,
        completed,
        interrupted,
        duration_seconds: (now() - turn.startedAt) / 1000,
      });
    });
  }
  if (events.subscribesTo("command"))
    on("pre_command", (command) => events.command(command, speaker(command.session_id)?.user_id ?? ""));
  return { [Symbol.dispose]: () => listening.forEach((one) => one[Symbol.dispose]()) };
}
