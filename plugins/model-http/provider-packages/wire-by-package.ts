import type { ModelSettings } from "hermes-agent/plugin";

export type OwnWire = "chat_completions" | "anthropic_messages";

/** The wire that a provider package is to speak, where our own client does not. */
export function wireByPackage(own: OwnWire, { client }: Pick<ModelSettings, "client">): OwnWire | undefined {
  return client === "package" ? own : undefined;
}
