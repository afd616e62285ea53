import type { App } from "../../../contract/services/app.ts";
import type { ApiLedger } from "../../../contract/services/api-ledger.ts";
import type { Admission } from "../http/admission.ts";
import type { ApiConversations } from "./api-conversations.ts";
import type { ApiTurn } from "./api-turn.ts";

/** What every way to have the agent work takes: a chat completion and a run are turns alike. */
export interface TurnPorts {
  readonly app: App;
  readonly ledger: ApiLedger;
  readonly conversations: ApiConversations;
  readonly admission: Admission;
  /** What the agent is called where a program does not say. */
  readonly model: string;
  /** Told each turn, to be stopped with the server. */
  began(turn: ApiTurn): void;
}
