import type { App } from "../../../contract/services/app.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import type { SlashHost } from "../../shared/commands/slash-host.ts";
import type { ChatConversation } from "./chat-conversation.ts";
import type { ChatPrompter } from "./chat-prompter.ts";
import type { BackgroundEnd } from "../../../contract/services/agent-service.ts";
import { inGroup } from "./session-key.ts";
import { commandAccess, mayRun, whoami } from "../access/command-access.ts";
import type { PlatformPlan } from "../../shared/gateway/platform-plans.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

export interface ChatHostPorts {
  readonly app: App;
  readonly signal: AbortSignal;
  readonly plan: PlatformPlan;
  readonly whose: string | undefined;
  /** Several users write in it. */
  readonly shared: boolean;
  readonly conversation: ChatConversation;
  readonly prompter: ChatPrompter;
  /** The session key of the chat. */
  readonly key: string;
  /** Sends the result of a background session, once. */
  announce(end: BackgroundEnd): Promise<void>;
  /** Leaves the current conversation. */
  leave(): Promise<void>;
  /** Resends messages to this chat that may not have arrived. */
  again(): Promise<number>;
}

/** The functions that slash commands may use for the author of this message. */
export function chatHost(
  message: PlatformMessage,
  { app, signal, plan, whose, shared, conversation, prompter, leave, again, key, announce }: ChatHostPorts,
): SlashHost {
  const access = commandAccess(plan.settings.extra, message);
  // Only the owner or an admin may turn approvals off, and no one may in a shared conversation.
  const mayYolo = !shared && (access.tier === "admin" || (access.tier === "everybody" && whose === undefined));
  return {
    app,
    surface: plan.name,
    signal,
    session: () => conversation.session!,
    async switchSession({ sessionId, model }) {
      await conversation.session?.interrupt("another session was opened");
      await leave();
      const session = await conversation.open({
        fresh: true,
        sessionId,
        model,
      });
      conversation.speaks(session, message);
      await conversation.note(session);
    },
    background: {
      opening: () => conversation.options(),
      scope: key,
      from: { key, message: backgroundMessage(message), shared },
      announce,
    },
    yolo: { get: () => conversation.yolo, set: (on) => conversation.setYolo(on) },
    chat: {
      decide: (verdict, args) => prompter.decide(verdict, args),
      ...definedFields({ whose, group: shared || inGroup(message) ? (true as const) : undefined }),
      whoami: () =>
        `${whoami(message, access)}${whose === undefined ? "" : " This chat can search only its own earlier conversations; only my owner's chats see my memory (allow_admin_from)."}`,
      mayRun: (command) => mayRun(access, command) && (command !== "yolo" || mayYolo),
      again: async () => ((await again()) === 0 ? "There is nothing to resend." : ""),
    },
  };
}

/** The fields of a message by which a later process finds its chat. */
function backgroundMessage(message: PlatformMessage): JsonObject {
  return JSON.parse(JSON.stringify({ ...message, text: "", media_urls: undefined })) as JsonObject;
}
