import type { App } from "../../../contract/services/app.ts";
import type { ChatAddress, ChatLanes, ReceivedMessage } from "../../../contract/services/gateway-service.ts";
import type { TurnEnd } from "../../../contract/conversation/session.ts";
import { isSlashCommand } from "../../shared/commands/run-slash-command.ts";
import { sayable, type ChatAnswers } from "../answers/chat-answers.ts";
import type { ChatConversation } from "./chat-conversation.ts";
import { endByFacts, inputByFacts } from "../../shared/conversation/turn-answer.ts";

export interface RecoveryPorts {
  readonly app: Pick<App, "log">;
  readonly lanes: ChatLanes;
  readonly to: ChatAddress;
  readonly conversation: ChatConversation;
  readonly answers: ChatAnswers;
  /** Aborted while the gateway stops. */
  readonly signal: AbortSignal;
  /** Sends a message that no session has received. */
  send(received: ReceivedMessage): Promise<void>;
}

/**
 * Resumes messages that an earlier process had given to a session. None runs twice, and each is answered: by its turn,
 * by a new turn if no session has it, or by a message that says what is unknown.
 */
export async function recoverMessages(received: readonly ReceivedMessage[], ports: RecoveryPorts): Promise<void> {
  const { lanes, to, app, signal } = ports;
  const facts = await ports.conversation.facts(received[0]?.sessionId ?? "");
  // A turn that a command started answers it.
  const isCommand = ({ id, message }: ReceivedMessage): boolean =>
    isSlashCommand(message.text) && inputByFacts(facts, inputOf(id)) === "unknown";
  for (const { id } of received.filter(isCommand)) {
    await lanes.finish(id, {
      to,
      key: `command:${id}`,
      text: "I was stopped while running your command, so I do not know whether it was completed.",
    });
  }
  const open = new Set(received.filter((one) => !isCommand(one)));
  if (open.size === 0) return;
  try {
    await resumeTurns(open, received[0]!.sessionId!, ports);
    await ports.conversation.leaveOld();
  } catch (cause) {
    // The inbox keeps the messages, and the next start resumes them.
    if (signal.aborted) return;
    app.log.error("Cannot resume the messages of an earlier run; reporting it in the chat.", { cause });
    for (const { id } of open)
      await lanes.finish(id, { to, key: `failed:${id}`, text: `⚠ ${sayable(cause)}\n${SEND_AGAIN}` });
    return;
  }
  for (const one of open) await ports.send(one);
}

/** Answers what the stored session knows, and leaves in `open` what it never received. */
async function resumeTurns(
  open: Set<ReceivedMessage>,
  sessionId: string,
  { app, lanes, to, conversation, answers, signal }: RecoveryPorts,
): Promise<void> {
  const before = await conversation.facts(sessionId);
  // It was deleted, or the process ended before its first fact.
  if (before.length === 0) return;
  const session = await conversation.openStored(sessionId);
  for (const one of open) conversation.speaks(session, one.message);
  // A queued input may begin its turn before `resume` is called again.
  const handled = [...open]
    .map(({ id }) => inputOf(id))
    .filter((inputId) => inputByFacts(before, inputId) === "waits")
    .map((inputId) => session.whenHandled(inputId));
  const ends = new Map<string, TurnEnd>();
  for (let end = await session.resume(); end !== undefined; end = await session.resume()) ends.set(end.turnId, end);
  for (const one of await Promise.allSettled(handled))
    if (one.status === "fulfilled") ends.set(one.value.turnId, one.value);
  const facts = await conversation.facts(sessionId);
  for (const one of open) {
    const input = inputByFacts(facts, inputOf(one.id));
    if (input === "unknown") continue;
    const end = input === "waits" ? undefined : (ends.get(input.turnId) ?? endByFacts(facts, input.turnId));
    if (input === "waits" || end === undefined) {
      signal.throwIfAborted();
      app.log.error("A message was given to a session but its turn has no end.", { inbox: one.id, session: sessionId });
      const text = `I was stopped while I worked on your message and do not know how far I came. ${SEND_AGAIN}`;
      await lanes.finish(one.id, { to, key: `failed:${one.id}`, text });
    } else if (end.reason === "cancelled" && !ends.has(input.turnId)) {
      // Another process resumed the session with a new message and closed this turn.
      const text = `⚠ I did not answer your message. ${end.detail ?? ""} ${SEND_AGAIN}`;
      await lanes.finish(one.id, { to, key: `failed:${one.id}`, text });
    } else await answers.toMessage(session, one, { ...end, turnId: input.turnId });
    open.delete(one);
  }
}

const SEND_AGAIN = "Send it again if you still need an answer.";

const INPUT = "inbox_";

/** The input id of an inbox message in the facts of a session. */
export function inputOf(id: number): string {
  return `${INPUT}${id}`;
}

/** Whether this input is an inbox message. */
export function isOfInbox(inputId: string | undefined): boolean {
  return inputId?.startsWith(INPUT) === true;
}
