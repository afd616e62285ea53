import { client, RequestError, type ClientApp, type RequestPermissionResponse } from "@agentclientprotocol/sdk";
import type { Logger } from "hermes-agent/plugin";

const METHOD_NOT_FOUND = -32601;

/**
 * Our side of the protocol: whatever an agent asks for, it does not get. It is a model here; what it wants done it says in its answer, where
 * it goes the way of every call, with its judgement and its questions.
 */
export function refusals(label: string, log: Logger): ClientApp {
  return client({ name: "hermes-agent" })
    .onRequest("session/request_permission", ({ params: { toolCall, options } }): RequestPermissionResponse => {
      log.warning(
        `${label} asked for leave to use a tool of its own, and got none: ${toolCall.title ?? toolCall.toolCallId}`,
      );
      const no =
        options.find(({ kind }) => kind === "reject_once") ?? options.find(({ kind }) => kind === "reject_always");
      return { outcome: no === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: no.optionId } };
    })
    .onRequest("*", ({ method }) => {
      log.warning(`${label} asked for ${method}, and was refused.`);
      throw new RequestError(
        METHOD_NOT_FOUND,
        `Hermes does not offer ${method}. Write a call of one of its tools at the end of the answer instead.`,
      );
    });
}
