import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import type { CostSum } from "../../../contract/services/cost-service.ts";
import type { TurnEnd } from "../../../contract/conversation/session.ts";
import type { Io } from "../../shared/process/io.ts";

/**
 * `--json`: one JSON object per line. Facts carry `seq` and `at` and are durable when printed; live events
 * (`text.delta`, …) carry neither; the last line is `{"type":"result", …}`.
 */
export function jsonPrinter(io: Io): (event: AgentEvent) => void {
  return (event) => {
    const line =
      event.kind === "fact" ? { seq: event.recorded.seq, at: event.recorded.at, ...event.recorded.fact } : event.live;
    io.out(`${JSON.stringify(line)}\n`);
  };
}

/** `costUsd` counts all requests of the turn whose cost is known, `unknownCosts` the others. */
export function jsonResult(io: Io, sessionId: string, end: TurnEnd, { requests, costUsd, unknown }: CostSum): void {
  const costs = {
    costUsd: requests > 0 && requests === unknown ? undefined : costUsd,
    unknownCosts: unknown === 0 ? undefined : unknown,
  };
  io.out(`${JSON.stringify({ type: "result", sessionId, ...end, ...costs })}\n`);
}
