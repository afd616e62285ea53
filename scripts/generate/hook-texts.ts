import type { HookName, MiddlewareKind } from "../../src/contract/plugins/hook.ts";

interface HookText {
  readonly when: string;
  /** What an answer does; absent where answers are ignored. */
  readonly answer?: string;
}

/** What people need to know of each hook beside its types. The compiler holds this to the hooks there are. */
export const HOOK_TEXTS: { readonly [K in HookName]: HookText } = {
  pre_tool_call: {
    when: "Before every tool call, whoever makes it, once its arguments are decoded and valid.",
    answer:
      '`{ action: "block", message }` refuses the call, and the model reads the message. `{ action: "approve", message, rule_key }` asks a person as if the call were risky; `rule_key` names what a yes for the session covers; with `args` they are changed as well. `{ action: "modify", args }` gives the call other arguments: they are held to the schema, every other guard is asked anew, and risk, deny rules and approval are judged of them. Anything else lets it go on.',
  },
  post_tool_call: {
    when: "After every call, also one that failed or was refused. The end of the call is on disk already.",
  },
  transform_tool_result: {
    when: "When a call succeeded, after its text was masked and cut.",
    answer: "A text takes the place of `value`, for the model and in the store.",
  },
  transform_terminal_output: {
    when: "With the output of a foreground command, before it is cut.",
    answer: "A text takes the place of `value`.",
  },
  pre_llm_call: {
    when: "Once a turn, before the first request.",
    answer:
      "A text, or `{ context }`, joins the person's message in the requests of this turn. It is not stored and does not reach the system prompt.",
  },
  post_llm_call: { when: "When a turn ended with an answer." },
  transform_llm_output: {
    when: "With the final words of a turn, before they are handed over.",
    answer: "A text takes the place of `value`.",
  },
  pre_api_request: { when: "Before every request to a model, also a repeated one." },
  post_api_request: { when: "After every request that was answered." },
  api_request_error: { when: "After every request that failed, also one that will be sent again." },
  pre_verify: {
    when: "When a turn that changed files is about to end.",
    answer: '`{ action: "continue", message }` sends the turn on, and the model reads the message.',
  },
  on_session_start: { when: "With the first turn of a session." },
  on_session_end: { when: "At the end of every turn, however it ended." },
  on_session_finalize: { when: "When a surface is done with a session." },
  on_session_reset: { when: "When a conversation is thrown away for a new one." },
  subagent_start: { when: "When a subagent begins." },
  subagent_stop: { when: "When a subagent ended." },
  pre_command: {
    when: "Before a slash command runs, on every surface.",
    answer:
      '`{ action: "block", message }` refuses it, `{ action: "handled", message }` answers in its place, `{ action: "rewrite", command, args }` runs another one instead.',
  },
  pre_gateway_dispatch: {
    when: "With a chat message, before its sender is known.",
    answer: "`skip` drops it, `rewrite` changes its text, `allow` lets it go on.",
  },
  pre_approval_request: { when: "Before a person is asked for approval." },
  post_approval_response: { when: "After the person answered, or did not." },
  kanban_task_claimed: { when: "When a board's task is taken." },
  kanban_task_completed: { when: "When a board's task is done." },
  kanban_task_blocked: { when: "When a board's task cannot go on." },
};

export const MIDDLEWARE_TEXTS: { readonly [K in MiddlewareKind]: string } = {
  tool_request:
    "Around the decoded arguments, before guards, risk and the tool see them. What it returns is held to the tool's schema again.",
  tool_execution:
    "Around the tool itself, after approval. It may change or replace the result. Arguments it hands on must be approved ones, or need no approval.",
  llm_request:
    "Around what a model is asked, before `pre_api_request`, once for each attempt. It returns the request, whole. Session and time limits stay the agent's; a request that allows no calls goes on allowing none. A changed system prompt or list of tools costs the provider's cache, and is logged once a session.",
  llm_execution:
    'Around the request itself. `next()` asks the model and gives its end, an answer or a failure, as `{ type: "end", kind, … }`; what is returned counts. Without `next()` no model is asked, so an answer of its own is a refusal the person reads.',
};
