import type { HookName, MiddlewareKind } from "../../src/contract/plugins/hook.ts";

interface HookText {
  readonly when: string;
  /** The effect of a handler's result; absent if results are ignored. */
  readonly answer?: string;
}

/**
 * Information about each hook for plugin authors, in addition to its types. The compiler checks that every hook is
 * listed.
 */
export const HOOK_TEXTS: { readonly [K in HookName]: HookText } = {
  pre_tool_call: {
    when: "Before every tool call of any caller, after its arguments are decoded and valid.",
    answer:
      '`{ action: "block", message }` refuses the call, and the model reads the message. `{ action: "approve", message, rule_key }` asks the user as if the call were risky; `rule_key` names what a session approval covers; `args` also changes the arguments. `{ action: "modify", args }` changes the arguments: Hermes validates them against the schema, calls every other guard again, and evaluates risk, deny rules and approval for them. After any other result the call continues.',
  },
  post_tool_call: {
    when: "After every call, including failed and refused ones. The outcome of the call is already on disk.",
  },
  transform_tool_result: {
    when: "After a successful call, when its text has been masked and shortened.",
    answer: "A string replaces `value`, for the model and in the store.",
  },
  transform_terminal_output: {
    when: "With the masked output of a foreground command, before it is shortened.",
    answer: "A string replaces `value`.",
  },
  pre_llm_call: {
    when: "Once a turn, before the first request.",
    answer:
      "A string, or `{ context }`, joins the user's message in the requests of this turn. It is not stored and is not part of the system prompt.",
  },
  post_llm_call: { when: "When a turn has ended with an answer." },
  transform_llm_output: {
    when: "With the final text of a turn, before the surface receives it.",
    answer: "A string replaces `value`.",
  },
  pre_api_request: { when: "Before every request to a model, including retries." },
  post_api_request: { when: "After every successful request." },
  api_request_error: { when: "After every failed request, including one that will be retried." },
  pre_verify: {
    when: "When a turn that changed files is about to end.",
    answer: '`{ action: "continue", message }` makes the turn continue, and the model reads the message.',
  },
  on_session_start: { when: "With the first turn of a session." },
  on_session_end: { when: "At the end of every turn, however it ended." },
  on_session_finalize: { when: "When a surface closes a session." },
  on_session_reset: { when: "When a new conversation replaces the current one." },
  subagent_start: { when: "When a subagent starts." },
  subagent_stop: { when: "When a subagent has ended." },
  pre_command: {
    when: "Before a slash command runs, on every surface.",
    answer:
      '`{ action: "block", message }` refuses it, `{ action: "handled", message }` replaces it with an answer, `{ action: "rewrite", command, args }` runs a different one.',
  },
  pre_gateway_dispatch: {
    when: "With a chat message, before its sender is checked.",
    answer: "`skip` drops it, `rewrite` changes its text, `allow` lets it continue.",
  },
  pre_approval_request: { when: "Before the user is asked for approval." },
  post_approval_response: { when: "After the user has answered, or the question has expired." },
  kanban_task_claimed: { when: "When a task of a board is claimed." },
  kanban_task_completed: { when: "When a task of a board is completed." },
  kanban_task_blocked: { when: "When a task of a board is blocked." },
};

export const MIDDLEWARE_TEXTS: { readonly [K in MiddlewareKind]: string } = {
  tool_request:
    "Wraps the decoded arguments, before guards, risk and the tool see them. Hermes validates the returned arguments against the tool's schema again.",
  tool_execution:
    "Wraps the tool, after approval. It may change or replace the result. If it changes the arguments, the new ones must already be approved or need no approval.",
  llm_request:
    "Wraps a model request, before `pre_api_request`, once for each attempt. It returns the complete request. It cannot change session and time limits, or allow calls in a request that allows none. A changed system prompt or tool list misses the provider's cache; Hermes logs that once a session.",
  llm_execution:
    'Wraps the sending of a request. `next()` sends it and returns the end, an answer or a failure, as `{ type: "end", kind, … }`; the returned value counts. Without `next()` Hermes sends no request, so the user reads the answer of the middleware.',
};
