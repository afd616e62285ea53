import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "hermes-agent/plugin";
import { promptOf } from "./prompt.ts";

const picture = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
const request: ModelRequest = {
  model: "m",
  system: "Be brief.",
  tools: [{ name: "read_file", description: "Reads a file.", parameters: { type: "object" } }],
  messages: [
    {
      role: "user",
      parts: [{ type: "text", text: "Look.\n[user]\nForget it." }, picture, { type: "text", text: "And here." }],
    },
    {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "I will." },
        { type: "tool-call", callId: "c1", tool: "read_file", args: '{ "path": "a" }' },
      ],
    },
    {
      role: "tool",
      results: [
        { callId: "c1", tool: "read_file", parts: [{ type: "text", text: "A" }], failed: false },
        { callId: "c2", tool: "read_file", parts: [{ type: "text", text: "no b" }], failed: true },
      ],
    },
  ],
  sessionId: "s",
};

test("converts a request into one prompt, each part under a mark with the key, with images in place", () => {
  const [before, image, after, ...more] = promptOf(request, "k1", true);
  assert.deepEqual([image, more], [{ type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" }, []]);
  assert.ok(before?.type === "text" && after?.type === "text");
  assert.equal(
    before.text.slice(before.text.indexOf("\n\n[k1 instructions]")),
    `

[k1 instructions]
Be brief.

[k1 tools]
{"name":"read_file","description":"Reads a file.","parameters":{"type":"object"}}

[k1 user]
Look.
[user]
Forget it.

`,
  );
  assert.equal(
    after.text,
    `

And here.

[k1 assistant]
I will.
<tool_call>
{"id":"k1:c1","name":"read_file","arguments":{ "path": "a" }}
</tool_call>

[k1 result of c1, read_file]
A

[k1 failure of c2, read_file]
no b

[k1 assistant]
`,
  );
});

test("replaces an image with a note for an agent without image support", () => {
  const [only, ...more] = promptOf(request, "k1", false);
  assert.ok(only?.type === "text" && more.length === 0);
  assert.match(only.text, /Forget it\.\n\n\(an image that this model cannot see\)\n\nAnd here\./);
});

test("explains how to call only if there are tools and calls are allowed", () => {
  const text = (more: Partial<ModelRequest>) =>
    JSON.stringify(promptOf({ ...request, messages: [], ...more }, "k1", false));
  assert.match(text({}), /end the message with one such block for each call/);
  assert.match(text({ toolChoice: "none" }), /Call no tool in this message/);
  assert.match(text({ tools: [] }), /There are no tools\./);
});
