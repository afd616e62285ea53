import type { PromptResponse, Usage as ProtocolUsage } from "@agentclientprotocol/sdk/unstable";
import type { Usage } from "../../contract/providers/model.ts";
import type { TurnEnd } from "../../contract/conversation/session.ts";
import { asTyped } from "../shared/process/called-as.ts";
import { failed } from "./request-failure.ts";

/** The response to a prompt: how its turn ended. @throws {RequestError} if it failed: the editor shows why. */
export function turnAnswer({ reason, detail, usage }: TurnEnd): PromptResponse {
  switch (reason) {
    case "done":
      return { stopReason: "end_turn", usage: usageOf(usage) };
    case "cancelled":
      return { stopReason: "cancelled", usage: usageOf(usage) };
    case "limit":
    case "budget":
      return { stopReason: "max_turn_requests", usage: usageOf(usage) };
    case "failed":
      throw failed(asTyped(detail ?? "The turn failed."));
  }
}

function usageOf({
  inputTokens,
  outputTokens,
  reasoningTokens,
  cacheReadTokens,
  cacheWriteTokens,
}: Usage): ProtocolUsage {
  return {
    totalTokens: inputTokens + outputTokens,
    inputTokens,
    outputTokens,
    thoughtTokens: reasoningTokens,
    cachedReadTokens: cacheReadTokens,
    cachedWriteTokens: cacheWriteTokens,
  };
}
