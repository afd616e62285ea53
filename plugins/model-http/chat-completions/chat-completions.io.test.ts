import { startOpenAiServer } from "../../../test/servers/openai.ts";
import { wireContract, type Wire } from "../test/wire-contract.ts";

const wire: Wire = {
  service: "openai",
  start: startOpenAiServer,
  path: "/v1",
  finishes: { stop: "stop", "tool-calls": "tool_calls", length: "length" },
  begun: (text) => `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]}\n\n`,
};

wireContract("openai chat completions", wire);
wireContract("openai chat completions by its package", { ...wire, setup: { client: "package" } });
