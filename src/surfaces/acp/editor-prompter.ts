import type {
  AgentContext,
  ElicitationAcceptAction,
  ElicitationSchema,
  PermissionOption,
  RequestPermissionRequest,
  SendRequestOptions,
} from "@agentclientprotocol/sdk/unstable";
import type { Scope } from "../../contract/tools/approval.ts";
import { EXPIRED, type Answer, type Prompter, type Question } from "../../contract/conversation/question.ts";
import { approvalText } from "../shared/display/approval-text.ts";
import { printable } from "../shared/display/printable.ts";
import { fence } from "./prompt-parts.ts";
import { beganCall, proposedChange } from "./shown-call.ts";
import type { ShownCalls } from "./shown-calls.ts";

export interface PrompterPorts {
  readonly cwd: string;
  sessionId(): string;
  client(): AgentContext;
  /** Calls that the editor shows already. */
  readonly calls: Pick<ShownCalls, "get">;
  /** Whether the editor supports forms with text input. */
  forms(): boolean;
}

type Approval = Extract<Question, { readonly kind: "approval" }>;
type Choice = Extract<Question, { readonly kind: "choice" }>;

const REJECT = "reject_once";

/**
 * Asks the user of the editor. Approvals and choices use its permission dialogs; text input uses its forms, if it has
 * them. The protocol forbids secrets in forms, so a request for one has no answer. A closed dialog, an editor error, a
 * lost connection and a timeout are denials.
 */
export class EditorPrompter implements Prompter {
  readonly #ports: PrompterPorts;
  #questions = 0;

  constructor(ports: PrompterPorts) {
    this.#ports = ports;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    switch (question.kind) {
      case "approval":
        return this.#askApproval(question, signal);
      case "choice":
        return question.other && this.#ports.forms()
          ? this.#askWords([question.text, ...question.choices.map((choice) => `- ${choice}`)].join("\n"), signal)
          : this.#askChoice(question, signal);
      case "text":
        return question.secret !== true && this.#ports.forms()
          ? this.#askWords(question.text, signal)
          : { kind: "none", reason: "nobody" };
    }
  }

  async #askApproval(question: Approval, signal: AbortSignal): Promise<Answer> {
    const { request, scopes } = question;
    const { cwd } = this.#ports;
    const call = this.#ports.calls.get(request.callId) ?? {
      callId: request.callId,
      tool: request.tool,
      args: request.args,
      effect: "execute" as const,
    };
    const { title, parts, choices } = approvalText(question);
    const about = parts.map(({ label, text }) => `${label.padEnd(5)} ${text}`.trimEnd()).join("\n");
    const names = new Map(choices.map(({ scope, label }) => [scope, label]));
    const optionId = await this.#dialog(
      {
        ...beganCall(call, cwd),
        title,
        status: "pending",
        content: [...proposedChange(call, cwd), { type: "content", content: { type: "text", text: fence(about) } }],
      },
      [
        ...scopes.map((scope): PermissionOption => ({
          optionId: `allow_${scope}`,
          name: `Allow ${names.get(scope) ?? scope}`,
          kind: scope === "once" ? "allow_once" : "allow_always",
        })),
        { optionId: REJECT, name: "Deny", kind: REJECT },
      ],
      signal,
    );
    if (typeof optionId !== "string") return optionId;
    const scope = scopes.find((one: Scope) => optionId === `allow_${one}`);
    return scope === undefined ? { kind: "refused" } : { kind: "approved", scope };
  }

  async #askChoice({ text, choices }: Choice, signal: AbortSignal): Promise<Answer> {
    this.#questions++;
    const optionId = await this.#dialog(
      { toolCallId: `question-${this.#questions}`, title: printable(text), kind: "think", status: "pending" },
      [
        ...choices.map((choice, index): PermissionOption => ({
          optionId: String(index),
          name: printable(choice),
          kind: "allow_once",
        })),
        { optionId: REJECT, name: "None of these", kind: REJECT },
      ],
      signal,
    );
    if (typeof optionId !== "string") return optionId;
    const picked = optionId === REJECT ? undefined : choices[Number(optionId)];
    return picked === undefined ? { kind: "refused" } : { kind: "text", text: picked };
  }

  async #askWords(text: string, signal: AbortSignal): Promise<Answer> {
    const requestedSchema: ElicitationSchema = {
      type: "object",
      properties: { answer: { type: "string", title: "Answer", minLength: 1 } },
      required: ["answer"],
    };
    return this.#inTime(signal, async (options) => {
      const form = await this.#ports
        .client()
        .request(
          "elicitation/create",
          { mode: "form", sessionId: this.#ports.sessionId(), message: printable(text), requestedSchema },
          options,
        );
      const answer = form.action === "accept" ? (form as ElicitationAcceptAction).content?.["answer"] : undefined;
      if (typeof answer === "string") return { kind: "text", text: answer };
      return form.action === "cancel" ? { kind: "none", reason: "cancelled" } : { kind: "refused" };
    });
  }

  /** The selected option, or why there is none. */
  async #dialog(
    toolCall: RequestPermissionRequest["toolCall"],
    offered: PermissionOption[],
    signal: AbortSignal,
  ): Promise<string | Answer> {
    return this.#inTime<string | Answer>(signal, async (options) => {
      const { outcome } = await this.#ports
        .client()
        .request(
          "session/request_permission",
          { sessionId: this.#ports.sessionId(), toolCall, options: offered },
          options,
        );
      return outcome.outcome === "selected" ? outcome.optionId : { kind: "none", reason: "cancelled" };
    });
  }

  async #inTime<Given>(
    signal: AbortSignal,
    ask: (options: SendRequestOptions) => Promise<Given>,
  ): Promise<Given | Answer> {
    if (signal.aborted) return withdrawn(signal);
    try {
      return await ask({ cancellationSignal: signal, stopWaitingOnCancel: true });
    } catch {
      // The question was withdrawn, or the editor has no such dialog, sent an invalid answer, or disconnected.
      return signal.aborted ? withdrawn(signal) : { kind: "none", reason: "nobody" };
    }
  }
}

function withdrawn(signal: AbortSignal): Answer {
  return { kind: "none", reason: signal.reason === EXPIRED ? "timeout" : "cancelled" };
}
