import { modelContract } from "hermes-agent/testing";
import type { AgentScene } from "../../test/servers/acp-agent.ts";
import { standingAgent } from "./test/standing-agent.ts";

// req: models.runtime-providers
modelContract(
  "copilot-acp",
  async (scenes) => {
    const agent = standingAgent(scenes as readonly AgentScene[]);
    return {
      client: agent.provider.connect({ model: "copilot-acp" }),
      get bodies() {
        return agent.prompts().map(({ text }) => text);
      },
      [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
    };
  },
  // A program has no HTTP status and no unreachable address: if it is missing, a retry does not help.
  { without: ["status", "unreachable"] },
);
