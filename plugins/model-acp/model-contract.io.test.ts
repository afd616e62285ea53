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
  // There is neither a status nor an address where nobody listens: a program that is not there is no use asking again.
  { without: ["status", "unreachable"] },
);
