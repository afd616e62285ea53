import { startAnthropicServer } from "../../../test/servers/anthropic.ts";
import { wireContract, type Wire } from "../test/wire-contract.ts";

const wire: Wire = {
  service: "anthropic",
  start: startAnthropicServer,
  path: "",
  finishes: { stop: "end_turn", "tool-calls": "tool_use", length: "max_tokens" },
  begun: (text) =>
    [
      { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join(""),
};

wireContract("anthropic messages", wire);
wireContract("anthropic messages by its package", { ...wire, setup: { client: "package" } });
