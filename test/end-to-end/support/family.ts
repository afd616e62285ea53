import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { App } from "../../../src/contract/services/app.ts";
import type { Fact } from "../../../src/contract/conversation/fact.ts";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import type { Session } from "../../../src/contract/conversation/session.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import type { RecordedRequest, ScriptedReply } from "../../servers/script.ts";
import { NewUser } from "./test-user.ts";

/** The part of a model request that these tests read. */
export interface Sent {
  readonly system: string;
  readonly text: string;
  readonly tools: readonly string[];
  /** Results so far in this conversation. */
  readonly results: readonly string[];
}

export function sent({ body }: RecordedRequest): Sent {
  const { messages, tools = [] } = JSON.parse(body) as {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  };
  const words = (content: unknown) => (typeof content === "string" ? content : JSON.stringify(content));
  return {
    system: words(messages[0]!.content),
    text: messages
      .filter(({ role }) => role === "user")
      .map(({ content }) => words(content))
      .join("\n"),
    tools: tools.map((tool) => tool.function.name),
    results: messages.filter(({ role }) => role === "tool").map(({ content }) => words(content)),
  };
}

/** Scripts parent and children: the parent delegates as scripted, and a child follows the script of its goal. */
export function family(
  delegated: JsonObject,
  children: { readonly [goal: string]: (request: Sent) => ScriptedReply },
  last = "All done.",
) {
  return (request: RecordedRequest): ScriptedReply => {
    const at = sent(request);
    const goal = at.system.includes("You are a subagent")
      ? Object.keys(children).find((one) => at.text.includes(one))
      : undefined;
    if (goal !== undefined) return children[goal]!(at);
    return at.results.length === 0 ? { calls: [{ tool: "delegate_task", args: delegated }] } : { text: last };
  };
}

export async function scene(
  t: TestContext,
  url: string,
  options: {
    readonly extra?: string;
    readonly setup?: (user: NewUser) => void;
    readonly open?: Partial<Parameters<App["openSession"]>[0]>;
  } = {},
): Promise<{ readonly app: App; readonly session: Session; readonly prompter: NewUser; facts(): readonly Fact[] }> {
  const stack = new AsyncDisposableStack();
  t.after(() => stack.disposeAsync());
  const user = stack.use(new NewUser());
  user.connect("custom", url, options.extra ?? "");
  options.setup?.(user);
  const app = stack.use(
    await openApp({
      version: "0",
      env: { HOME: user.home, PATH: process.env["PATH"] },
      signal: new AbortController().signal,
    }),
  );
  const session = await app.openSession({ surface: "cli", cwd: user.folder, ...options.open });
  const facts: Fact[] = [];
  session.subscribe((event) => event.kind === "fact" && void facts.push(event.recorded.fact));
  return { app, session, prompter: user, facts: () => facts };
}

export function resultOf(facts: readonly Fact[]): {
  readonly results: readonly JsonObject[];
  readonly total_duration_seconds: number;
} {
  const settled = facts.find((fact) => fact.type === "tool.settled");
  assert.ok(settled?.type === "tool.settled" && settled.outcome.kind === "ok", JSON.stringify(settled));
  return JSON.parse((settled.outcome.shown[0] as { readonly text: string }).text);
}

/** Sessions of the subagents, in the order in which they began. */
export const childOf = (facts: readonly Fact[]) =>
  facts.flatMap((fact) => (fact.type === "subagent.started" ? [fact.sessionId] : []));
