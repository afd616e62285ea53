import { client, RequestError, type ClientApp, type RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { Logger } from "hermes-agent/plugin";

const METHOD_NOT_FOUND = -32601;

/**
 * The client side of the protocol: refuses every request of an agent. The agent is a model here, so it must write tool
 * calls in its answer, where they pass the dispatch pipeline with its checks and approvals.
 */
export function refusals(label: string, log: Logger): ClientApp {
  return client({ name: "hermes-agent" })
    .onRequest("session/request_permission", ({ params: { toolCall, options } }): RequestPermissionResponse => {
      log.warning(`Refused ${label} permission for its own tool: ${toolCall.title ?? toolCall.toolCallId}`);
      const no =
        options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => kind === "reject_always");
      return { outcome: no === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: no.optionId } };
    })
    .onRequest("*", ({ method }) => {
      log.warning(`Refused the request ${method} of ${label}.`);
      throw new RequestError(
        METHOD_NOT_FOUND,
        `Hermes does not support ${method}. Call one of its tools at the end of the answer instead.`,
      );
    });
}
