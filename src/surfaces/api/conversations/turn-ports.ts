import type { App } from "../../../contract/services/app.ts";
import type { ApiLedger } from "../../../contract/services/api-ledger.ts";
import type { Admission } from "../http/admission.ts";
import type { ApiConversations } from "./api-conversations.ts";
import type { ApiTurn } from "./api-turn.ts";

/** Dependencies of chat completions and runs. */
export interface TurnPorts {
  readonly app: App;
  readonly ledger: ApiLedger;
  readonly conversations: ApiConversations;
  readonly admission: Admission;
  /** The model name in answers if the client sent none. */
  readonly model: string;
  /** Receives each turn, so that the server can stop it. */
  began(turn: ApiTurn): void;
}
