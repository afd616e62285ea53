import { textOf, type Fact, type Part, type Recorded } from "hermes-agent/plugin";

export type Role = "user" | "assistant" | "tool";

export interface Message {
  /** The message's position in the session. */
  readonly id: number;
  readonly role: Role;
  readonly content: string;
  /** Epoch ms. */
  readonly at: number;
}

export interface Conversation {
  readonly messages: readonly Message[];
  /** Sources of untrusted content in it. Text after such content may be influenced by it. */
  readonly sources: readonly string[];
}

/** The messages of a session with these roles. */
export async function readConversation(
  facts: AsyncIterable<Recorded>,
  roles: ReadonlySet<Role>,
): Promise<Conversation> {
  const messages: Message[] = [];
  const untrusted = new Set<string>();
  for await (const { seq, fact, at } of facts) {
    for (const source of untrustedIn(fact)) untrusted.add(source);
    // The user took these messages back.
    if (fact.type === "turns.undone") {
      const kept = messages.findIndex(({ id }) => id >= fact.from);
      if (kept >= 0) messages.length = kept;
    }
    const output = textIn(fact);
    if (output !== undefined && roles.has(output.role) && output.content.trim() !== "")
      messages.push({ id: seq, ...output, at });
  }
  return { messages, sources: [...untrusted] };
}

function textIn(fact: Fact): Pick<Message, "role" | "content"> | undefined {
  switch (fact.type) {
    case "message.added":
      if (fact.origin === "system") return undefined;
      return {
        role: fact.origin === "person" || fact.origin === "model" ? "user" : "tool",
        content: textOf(fact.parts),
      };
    case "model.answered":
      return { role: "assistant", content: textOf(fact.parts) };
    case "tool.called":
      return { role: "tool", content: `${fact.tool} ${JSON.stringify(fact.args ?? {})}` };
    case "tool.settled":
      return {
        role: "tool",
        content:
          fact.outcome.kind === "ok"
            ? textOf(fact.outcome.shown)
            : fact.outcome.kind === "failed"
              ? fact.outcome.message
              : fact.outcome.reason,
      };
    default:
      return undefined;
  }
}

function untrustedIn(fact: Fact): readonly string[] {
  switch (fact.type) {
    case "session.started":
      return fact.subagent?.foreign?.sources ?? [];
    case "message.added":
      return sourcesOf(fact.parts);
    case "tool.settled":
      return fact.outcome.kind === "ok"
        ? sourcesOf(fact.outcome.shown)
        : fact.outcome.kind === "failed" || fact.outcome.kind === "unknown"
          ? sourcesOf([{ from: fact.outcome.from }])
          : [];
    default:
      return [];
  }
}

function sourcesOf(parts: readonly Pick<Part, "from">[]): readonly string[] {
  return parts.flatMap(({ from }) => (from === undefined ? [] : [from.source]));
}

/** Truncates each message so that all of them fit. */
export function fitted(messages: readonly Message[], chars: number): readonly Message[] {
  const each = Math.max(200, Math.floor(chars / Math.max(1, messages.length)));
  return messages.map((message) => ({ ...message, content: cut(message.content, each) }));
}

export function cut(text: string, chars: number): string {
  return text.length <= chars
    ? text
    : `${text.slice(0, chars).toWellFormed()}… [${text.length - chars} more characters]`;
}
