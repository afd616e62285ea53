import type { App } from "../../../contract/services/app.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import type { SlashHost } from "../../shared/commands/slash-host.ts";
import type { ChatConversation } from "./chat-conversation.ts";
import type { ChatPrompter } from "./chat-prompter.ts";
import { commandAccess, mayRun, whoami } from "../access/command-access.ts";
import type { PlatformPlan } from "../../shared/gateway/platform-plans.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

export interface ChatHostPorts {
  readonly app: App;
  readonly signal: AbortSignal;
  readonly plan: PlatformPlan;
  readonly whose: string | undefined;
  /** Several people write in it. */
  readonly shared: boolean;
  readonly conversation: ChatConversation;
  readonly prompter: ChatPrompter;
  /** The conversation in front is over. */
  leave(): Promise<void>;
  /** Sends again to this chat what may not have arrived. */
  again(): Promise<number>;
}

/** What slash commands may do for whoever wrote this message. */
export function chatHost(
  message: PlatformMessage,
  { app, signal, plan, whose, shared, conversation, prompter, leave, again }: ChatHostPorts,
): SlashHost {
  const access = commandAccess(plan.settings.extra, message);
  // To ask for nothing is the owner's, or an admin's, to say; and nobody's where others write in the same conversation.
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
    yolo: { get: () => conversation.yolo, set: (on) => conversation.setYolo(on) },
    chat: {
      decide: (verdict, args) => prompter.decide(verdict, args),
      ...definedFields({ whose }),
      whoami: () =>
        `${whoami(message, access)}${whose === undefined ? "" : " Of earlier conversations only those are seen here that belong here; what I remember is my owner's (allow_admin_from names them)."}`,
      mayRun: (command) => mayRun(access, command) && (command !== "yolo" || mayYolo),
      again: async () => ((await again()) === 0 ? "There is nothing to send again." : ""),
    },
  };
}
