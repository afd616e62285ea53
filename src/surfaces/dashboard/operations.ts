import { randomBytes } from "node:crypto";
import { UserError } from "../../contract/common/failure.ts";
import type { CliIo } from "../../contract/conversation/command.ts";
import type { App } from "../../contract/services/app.ts";
import type { PluginUser } from "../shared/plugins/plugin-user.ts";
import { asTyped } from "../shared/process/called-as.ts";
import type { OperationEvent, QuestionKind } from "./operation-event.ts";
import { route, type Asked, type Route } from "./route.ts";

/** The output and the questions of an operation. An answer that does not come is a denial, or an empty text. */
export interface Conversation {
  readonly cli: CliIo;
  readonly user: PluginUser;
}

interface Question {
  answer(text: string): void;
}

const COLUMNS = 100;

/**
 * Commands that run in the dashboard: they print lines and ask questions while their request is open, and the page
 * answers with other requests. When the page leaves, the command is cancelled and its question denied.
 */
export class Operations {
  readonly #questions = new Map<string, Question>();

  get routes(): readonly Route[] {
    return [
      route("POST /api/answers/:id", ({ params: [id = ""], body }) => {
        const question = this.#questions.get(id);
        if (question === undefined)
          throw new UserError("This question is no longer open.", { hint: "Start the operation again." });
        const { answer } = body;
        question.answer(typeof answer === "string" ? answer : answer === true ? "yes" : "");
      }),
    ];
  }

  /** A route that runs `work` and streams what it shows and asks. @param work Returns the exit status of its command. */
  route(at: string, work: (asked: Asked, conversation: Conversation) => Promise<number | void>): Route {
    return { at, answer: (asked) => ({ kind: "lines", values: this.#run(asked, work) }) };
  }

  async *#run(
    asked: Asked,
    work: (asked: Asked, conversation: Conversation) => Promise<number | void>,
  ): AsyncGenerator<OperationEvent> {
    const waiting: OperationEvent[] = [];
    let wake = Promise.withResolvers<void>();
    const tell = (event: OperationEvent): void => {
      waiting.push(event);
      wake.resolve();
    };
    using asking = this.#asking(tell, asked.signal);
    void work(asked, conversationOf(asked.app, asking.ask, tell, asked.signal)).then(
      (status) => tell({ kind: "end", ok: (status ?? 0) === 0 }),
      (error: unknown) => tell(failureOf(asked.app, error)),
    );
    for (;;) {
      for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
        yield event;
        if (event.kind === "end" || event.kind === "failed") return;
      }
      await wake.promise;
      wake = Promise.withResolvers();
    }
  }

  #asking(
    tell: (event: OperationEvent) => void,
    signal: AbortSignal,
  ): Disposable & { ask(kind: QuestionKind, question: string): Promise<string> } {
    const open = new Set<string>();
    return {
      ask: (kind, question) => {
        if (signal.aborted) return Promise.resolve("");
        const id = randomBytes(8).toString("hex");
        const answered = Promise.withResolvers<string>();
        const given = (text: string): void => {
          open.delete(id);
          this.#questions.delete(id);
          signal.removeEventListener("abort", gone);
          answered.resolve(text);
        };
        const gone = (): void => given("");
        signal.addEventListener("abort", gone, { once: true });
        open.add(id);
        this.#questions.set(id, { answer: given });
        tell({ kind: "ask", id, question: kind, text: question });
        return answered.promise;
      },
      [Symbol.dispose]: () => {
        for (const id of open) this.#questions.get(id)?.answer("");
      },
    };
  }
}

function conversationOf(
  app: App,
  ask: (kind: QuestionKind, question: string) => Promise<string>,
  tell: (event: OperationEvent) => void,
  signal: AbortSignal,
): Conversation {
  const show = (text: string): void => {
    const shown = app.mask(text).replace(/\n+$/, "");
    if (shown !== "") tell({ kind: "text", text: shown });
  };
  const confirm = async (question: string): Promise<boolean> => (await ask("confirm", question)) === "yes";
  return {
    cli: { out: show, error: show, interactive: false, signal, confirm },
    user: {
      out: show,
      note: show,
      columns: COLUMNS,
      signal,
      openAsker: async () => ({
        get ended() {
          return signal.aborted;
        },
        confirm,
        ask: (question) => ask("text", question),
        askHidden: (question) => ask("secret", question),
        [Symbol.dispose]: () => {},
      }),
    },
  };
}

function failureOf(app: App, error: unknown): OperationEvent {
  if (!(error instanceof UserError)) app.log.error("An operation of the dashboard failed.", { cause: error });
  const hint = error instanceof UserError ? error.hint : undefined;
  return {
    kind: "failed",
    error: app.mask(asTyped(error instanceof Error ? error.message : String(error))),
    hint: hint === undefined ? undefined : app.mask(asTyped(hint)),
  };
}

/** Runs a command that a plugin adds to `hermes`. @throws {UserError} if its plugin is off. */
export async function runPluginCommand(app: App, name: string, input: object, io: CliIo): Promise<number> {
  const command = app.cliCommands.list().find((one) => one.name === name);
  if (command === undefined)
    throw new UserError(`The command "${name}" is not available: its plugin is not enabled.`, {
      hint: "Enable the plugin on the page Plugins.",
    });
  return (await command.run(input as never, io)) ?? 0;
}

/** The JSON that such a command prints. A status other than 0 with JSON is a result, too. */
export async function jsonOfCommand<Value>(app: App, name: string, input: object, signal: AbortSignal): Promise<Value> {
  let text = "";
  await runPluginCommand(app, name, input, {
    out: (part) => void (text += part),
    error: () => {},
    interactive: false,
    signal,
  });
  return JSON.parse(text) as Value;
}

/** The text that such a command prints. */
export async function textOfCommand(app: App, name: string, input: object, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  await runPluginCommand(app, name, input, {
    out: (part) => void parts.push(part),
    error: (part) => void parts.push(part),
    interactive: false,
    signal,
  });
  return parts.join("").trimEnd();
}
