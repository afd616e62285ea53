import { randomBytes } from "node:crypto";
import { RecentMap } from "../../../contract/common/recent-map.ts";
import { ApiFailure } from "../http/api-failure.ts";
import type { ChosenConversation } from "../conversations/api-conversations.ts";
import { ApiTurn, type TurnInput } from "../conversations/api-turn.ts";
import type { SentConversation } from "../chat/read-conversation.ts";
import { Run, runEnd, runObject } from "./run.ts";
import { endOfInput } from "../conversations/turn-facts.ts";
import type { TurnPorts } from "../conversations/turn-ports.ts";

export interface RunRequest {
  readonly sent: SentConversation;
  readonly model: string | undefined;
  /** Default: a new session. */
  readonly sessionId: string | undefined;
}

const PREFIX = "run_";
/** Number of runs whose events can still be read. For others, the session's facts say how they ended. */
const MAX_RETAINED = 200;
const RETENTION_MS = 3_600_000;

/** Turns in the background. An accepted run is completed, if necessary by the next process. */
export class Runs {
  readonly #ports: TurnPorts;
  readonly #going = new Map<string, { readonly run: Run; readonly turn: ApiTurn }>();
  readonly #over = new RecentMap<string, Run>(MAX_RETAINED);

  constructor(ports: TurnPorts) {
    this.#ports = ports;
  }

  /** Resolves when the run is stored; a later crash does not lose it. */
  async start({ sent, model, sessionId }: RunRequest): Promise<Run> {
    const { admission, conversations, ledger } = this.#ports;
    using open = new DisposableStack();
    open.use(admission.enter());
    const id = `${PREFIX}${randomBytes(16).toString("hex")}`;
    const chosen = open.use(await conversations.named(sessionId ?? id, sent));
    const session = await chosen.conversation.open(chosen.system);
    const run = this.#run(id, chosen.conversation.sessionId, model);
    const turn = ApiTurn.send(session, chosen.parts, this.#input(run, chosen));
    this.#follow(run, turn, open.move());
    await turn.stored;
    await ledger.accept(id, run.sessionId);
    // The run may have ended already.
    if (run.over) await ledger.finish(id);
    return run;
  }

  /** Resumes runs that an earlier process accepted and did not finish. */
  async recover(): Promise<void> {
    const { ledger, app } = this.#ports;
    for (const { inputId, sessionId } of await ledger.unfinished()) {
      // Clients waiting for a chat completion lost their connection and send it again.
      if (inputId.startsWith(PREFIX))
        await this.#resume(inputId, sessionId).catch((cause: unknown) =>
          app.log.error(`Cannot resume the run "${inputId}"; keeping it.`, { cause }),
        );
      else await ledger.finish(inputId);
    }
  }

  /** @throws {ApiFailure} if no run has this id. */
  async find(
    id: string,
  ): Promise<
    | { readonly run: Run; readonly turn?: ApiTurn }
    | { readonly object: object; readonly end: ReturnType<typeof runEnd> | undefined; readonly at: number }
  > {
    const going = this.#going.get(id);
    if (going !== undefined) return going;
    const run = this.#over.get(id);
    if (run !== undefined) return { run };
    const { ledger, conversations, model } = this.#ports;
    const known = id.startsWith(PREFIX) ? await ledger.accepted(id) : undefined;
    if (known === undefined)
      throw new ApiFailure(`There is no run ${JSON.stringify(id)}.`, { status: 404, code: "run_not_found" });
    const ended = endOfInput(await conversations.facts(known.sessionId), id);
    const end = ended === undefined ? undefined : runEnd(ended);
    const at = ended?.at ?? known.at;
    return {
      end,
      at,
      object: runObject({
        id,
        sessionId: known.sessionId,
        model,
        status: end?.status ?? "queued",
        createdAt: known.at,
        updatedAt: at,
        lastEvent: end === undefined ? undefined : `run.${end.status}`,
        end,
      }),
    };
  }

  async #resume(id: string, sessionId: string): Promise<void> {
    const { admission, conversations, ledger } = this.#ports;
    using open = new DisposableStack();
    open.use(admission.readmit());
    const chosen = open.use(await conversations.left(sessionId));
    const session = await chosen.conversation.open("");
    const run = this.#run(id, sessionId, undefined);
    const turn = await ApiTurn.resume(session, () => conversations.facts(sessionId), this.#input(run, chosen));
    if (turn === undefined) return ledger.finish(id);
    this.#follow(run, turn, open.move());
  }

  #run(id: string, sessionId: string, model: string | undefined): Run {
    const { app } = this.#ports;
    return new Run({
      id,
      sessionId,
      model: model ?? this.#ports.model,
      toolOf: (name) => app.tools.get(name),
      mask: (text) => app.mask(text),
    });
  }

  /** Routes approvals to this run while its turn runs. */
  #input(run: Run, { conversation }: ChosenConversation): TurnInput {
    return {
      inputId: run.id,
      begins: () => conversation.prompter.watch(run.approvals),
      receive: (event) => run.receive(event),
    };
  }

  #follow(run: Run, turn: ApiTurn, open: DisposableStack): void {
    const { app, ledger, began } = this.#ports;
    began(turn);
    this.#going.set(run.id, { run, turn });
    const over = async (end: Parameters<Run["ended"]>[0]): Promise<void> => {
      using _open = open;
      run.ended(end);
      this.#over.set(run.id, run);
      this.#going.delete(run.id);
      setTimeout(() => this.#over.delete(run.id), RETENTION_MS).unref();
      await ledger.finish(run.id);
    };
    turn.ended
      .then(over, (cause: unknown) => {
        app.log.error(`The run "${run.id}" failed.`, { cause });
        return over({ failure: app.mask(cause instanceof Error ? cause.message : String(cause)) });
      })
      .catch((cause: unknown) => app.log.error(`Cannot store the end of the run "${run.id}".`, { cause }));
  }
}
