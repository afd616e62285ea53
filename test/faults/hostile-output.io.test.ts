import assert from "node:assert/strict";
import { test } from "node:test";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../servers/openai.ts";

/**
 * Colours, a title, the clipboard, a cleared screen, hidden and reversed text, and bytes that are not text, as a shell
 * writes them.
 */
const HOSTILE = String.raw`printf 'plain \033[31mred\033[0m \033]0;owned\007 \033]52;c;cm0gLXJmIC8=\007 \033[2J\033[8mhidden\033[0m \342\200\256desrever\342\200\254 \342\200\213zero \000\001\377\376 \302\233 end\n'`;
// oxlint-disable-next-line no-control-regex -- finding control characters is its purpose
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

test("row 35: removes terminal controls and bidi characters for model and user; raw bytes stay available", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([
    {
      calls: [
        { tool: "terminal", args: { command: HOSTILE } },
        { tool: "terminal", args: { command: `${HOSTILE} | od -An -v -tx1` } },
        { tool: "terminal", args: { command: `${HOSTILE} >bytes; exit 3` } },
        { tool: "read_file", args: { path: "bytes" } },
      ],
    },
    { text: "I have seen it." },
  ]);
  user.connect("custom", server.url, "display:\n  tool_progress: verbose\n");
  const { status, out, err } = await user.run(["chat", "-q", "run it"]);
  assert.equal(status, 0, err);
  const { messages } = JSON.parse(server.requests[1]!.body) as {
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
  const [shown, bytes, , read] = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  const { output } = JSON.parse(shown!) as { readonly output: string };
  assert.match(output, /^plain red {3}hidden desrever zero [^\u200b]* end$/u);
  assert.doesNotMatch(output, OBEYED);
  assert.match(
    JSON.parse(bytes!).output.replaceAll(/\s+/g, " "),
    /^ 70 6c 61 69 6e 20 1b 5b 33 31 6d[^]* 00 01 ff fe 20 c2 9b 20 65 6e 64 0a$/,
  );
  // read_file returns a file unchanged: the model could not repair it otherwise.
  assert.match(
    (JSON.parse(read!) as { readonly content: string }).content,
    /^1\|plain \u001b\[31mred[^]*\u202edesrever/u,
  );
  for (const [where, text] of [
    ["out", out],
    ["err", err],
  ] as const)
    assert.doesNotMatch(text, OBEYED, `${where}: ${JSON.stringify(text)}`);
});
