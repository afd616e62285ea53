import { startOpenAiServer } from "../../../test/servers/openai.ts";
import { wireContract } from "../test/wire-contract.ts";

wireContract("openai chat completions", {
  service: "openai",
  start: startOpenAiServer,
  path: "/v1",
  finishes: { stop: "stop", "tool-calls": "tool_calls", length: "length" },
  begun: (text) => `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]}\n\n`,
});
