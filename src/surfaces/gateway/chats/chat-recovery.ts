import type { App } from "../../../contract/services/app.ts";
import type { ChatAddress, ChatLanes, ReceivedMessage } from "../../../contract/services/gateway-service.ts";
import type { TurnEnd } from "../../../contract/conversation/session.ts";
import { isSlashCommand } from "../../shared/commands/run-slash-command.ts";
import type { ChatAnswers } from "../answers/chat-answers.ts";
import type { ChatConversation } from "./chat-conversation.ts";
import { endByFacts, inputByFacts } from "../../shared/conversation/turn-answer.ts";

export interface RecoveryPorts {
  readonly app: Pick<App, "log">;
  readonly lanes: ChatLanes;
  readonly to: ChatAddress;
  readonly conversation: ChatConversation;
  readonly answers: ChatAnswers;
  /** Sends a message that no session has received. */
  send(received: ReceivedMessage): Promise<void>;
}

/** Resumes messages that an earlier process had given to a session. None runs twice. */
export async function recoverMessages(
  received: readonly ReceivedMessage[],
  { app, lanes, to, conversation, answers, send }: RecoveryPorts,
): Promise<void> {
  const sessionId = received[0]!.sessionId!;
  for (const { id } of received.filter(({ message }) => isSlashCommand(message.text))) {
    await lanes.finish(id, {
      to,
      key: `command:${id}`,
      text: "I was stopped while running your command, so I do not know whether it was completed.",
    });
  }
  const messages = received.filter(({ message }) => !isSlashCommand(message.text));
  if (messages.length === 0) return;
  const session = await conversation.open((await conversation.isStored(sessionId)) ? { sessionId } : {});
  for (const one of messages) conversation.speaks(session, one.message);
  const ends = new Map<string, TurnEnd>();
  for (let end = await session.resume(); end !== undefined; end = await session.resume()) ends.set(end.turnId, end);
  const facts = session.id === sessionId ? await conversation.facts(sessionId) : [];
  for (const one of messages) {
    const input = inputByFacts(facts, inputOf(one.id));
    const end = typeof input === "string" ? undefined : (ends.get(input.turnId) ?? endByFacts(facts, input.turnId));
    if (input === "unknown") await send(one);
    else if (end === undefined || typeof input === "string")
      app.log.error("A message was given to a session but has no turn; keeping it.", {
        inbox: one.id,
        session: sessionId,
      });
    else await answers.toMessage(session, one, { ...end, turnId: input.turnId });
  }
}

const INPUT = "inbox_";

/** The input id of an inbox message in the facts of a session. */
export function inputOf(id: number): string {
  return `${INPUT}${id}`;
}

/** Whether this input is an inbox message. */
export function isOfInbox(inputId: string | undefined): boolean {
  return inputId?.startsWith(INPUT) === true;
}
