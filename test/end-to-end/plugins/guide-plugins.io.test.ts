import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { GUIDE_PLUGINS } from "../support/guide-plugins.ts";
import { NO_TMUX, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

const NO_PYTHON = spawnSync("python3", ["--version"]).status === 0 ? false : "there is no python3";

test("the guide's short plugins match the guide's, apart from line breaks that its copy lost", () => {
  const hashes = Object.entries(GUIDE_PLUGINS).map(([name, code]) => [
    name,
    createHash("sha256").update(code.replaceAll(/\s+/g, " ").trim()).digest("hex").slice(0, 16),
  ]);
  assert.deepEqual(hashes, [
    ["scan", "b7192193b0658dbe"],
    ["mystatus", "0b57bfe232a05397"],
    ["deliver", "a586d13fae8b9439"],
    ["my-plugin", "d02a811fc4695dcf"],
    ["guardrails", "fb071233d3dff1e2"],
    ["analytics", "25241d505042005b"],
  ]);
});

// req: hooks.samples, plugins.register-command, plugins.register-cli-command, plugins.dispatch-tool
test(
  "the guide's short plugins run unchanged, and a call that /scan dispatches asks for approval like any other",
  { skip: NO_PYTHON || NO_TMUX },
  async () => {
    await using model = await startOpenAiServer([{ text: "Understood." }]);
    using user = new NewUser();
    user.connect("custom", model.url, `plugins:\n  enabled: [${Object.keys(GUIDE_PLUGINS).join(", ")}]\n`);
    for (const [name, code] of Object.entries(GUIDE_PLUGINS)) {
      user.write(
        `~/.hermes/plugins/${name}/plugin.yaml`,
        `name: ${name}\nversion: 1.0.0\ndescription: Of the guide.\n`,
      );
      user.write(`~/.hermes/plugins/${name}/__init__.py`, code);
    }
    user.write("notes/one.txt", "x");
    const status = await user.run(["my-plugin", "status"]);
    assert.deepEqual([status.status, status.out], [0, "All good!\n"], status.err);
    assert.equal((await user.run(["my-plugin"])).out, "Usage: hermes my-plugin \n");

    await using terminal = await UserTerminal.open(user);
    await terminal.until(READY);
    await terminal.say("/mystatus");
    await terminal.until(/Plugin status: all systems nominal/);
    await terminal.say("/mystatus help");
    await terminal.until(/Usage: \/mystatus \[help\|check\]/);
    await terminal.say("/scan *.txt");
    await terminal.until(/notes\/one\.txt/);
    await terminal.say("/deliver write the report");
    await terminal.until(/Delegate write the report {2}\d/);
    // A glob that closes the quote: the resulting command is assessed for what it does.
    await terminal.say("/scan *.txt' -delete -name '*");
    await terminal.until(/Esc denies · 30 min left/);
    await terminal.press("Escape");
    await terminal.until(/denied|refused/i);
    assert.ok(existsSync(join(user.folder, "notes/one.txt")));
    await terminal.say("/scan *.txt' -delete -name '*");
    await terminal.until(/Esc denies · 30 min left/);
    await terminal.press("o");
    await waitFor(() => !existsSync(join(user.folder, "notes/one.txt")), { what: "the approved command runs" });
    await terminal.say("hello there");
    // The subagent's answer on the screen contains the same word.
    const greeting = () => model.requests.find(({ body }) => body.includes("hello there"));
    await terminal.until(() => greeting() !== undefined);
    await terminal.until(/hello there[^]*Understood\./);
    const { messages } = JSON.parse(greeting()!.body) as {
      readonly messages: readonly { readonly role: string; readonly content: string }[];
    };
    const [policy] = /You MUST follow[^]*data extraction/.exec(GUIDE_PLUGINS["guardrails"]!)!;
    assert.match(String(JSON.stringify(messages.at(-1)?.content)), /hello there/);
    assert.ok(JSON.stringify(messages.at(-1)?.content).includes(JSON.stringify(policy).slice(1, -1)));
    assert.ok(!JSON.stringify(messages[0]).includes("You MUST follow"));
    await terminal.say("/exit");
    await terminal.until(/\[ended 0\]/);
    const log = readFileSync(join(user.agentHome, "logs/agent.log"), "utf8");
    assert.match(
      log,
      /"level":"info"[^\n]*hermes_plugins\.analytics: Turn: session=\S+ model=loopback first=True msg_len=11/,
    );
  },
);

/** The guide's prompts, the call each leads to, and the returned number. */
const PROMPTS = [
  ["What's 2 to the power of 16?", "calculate", { expression: "2**16" }, 65536],
  ["Convert 100 fahrenheit to celsius", "unit_convert", { value: 100, from_unit: "F", to_unit: "C" }, 37.7778],
  ["What's the square root of 2 times pi?", "calculate", { expression: "sqrt(2 * pi)" }, Math.sqrt(2 * Math.PI)],
  ["How many gigabytes is 1.5 terabytes?", "unit_convert", { value: 1.5, from_unit: "TB", to_unit: "GB" }, 1536],
] as const;

// req: plugins.calculator-conversation, plugins.calculator-errors
for (const name of ["calculator", "calculator-python"]) {
  test(
    `the guide's four prompts reach the two tools and return the right numbers: ${name}`,
    { skip: name === "calculator" ? false : NO_PYTHON },
    async () => {
      await using model = await startOpenAiServer(({ body }) => {
        const { messages } = JSON.parse(body) as {
          readonly messages: readonly { readonly role: string; readonly content: unknown }[];
        };
        const last = messages.at(-1)!;
        const asked = PROMPTS.find(([words]) => JSON.stringify(last.content).includes(words));
        return last.role === "tool" || asked === undefined
          ? { text: String(last.content) }
          : { calls: [{ tool: asked[1], args: asked[2] }] };
      });
      using user = new NewUser();
      user.connect("custom", model.url);
      cpSync(join(import.meta.dirname, "../../../examples/plugins", name), join(user.agentHome, "plugins/calculator"), {
        recursive: true,
      });
      assert.equal((await user.run(["plugins", "enable", "calculator"])).status, 0);
      const empty = await user.run(["tools", "call", "calculate", "{}"]);
      assert.deepEqual([empty.status, empty.out], [1, '{"error": "No expression provided"}\n'], empty.err);
      for (const [words, , , number] of PROMPTS) {
        const { status, out, err } = await user.run(["chat", "-q", words]);
        assert.equal(status, 0, err);
        assert.equal(Number(/"result": ?([\d.]+)/.exec(out)?.[1]), number, `${words}: ${out}`);
      }
      assert.deepEqual(
        [
          ...new Set(
            model.requests.map(({ body }) =>
              (JSON.parse(body) as { tools: { function: { name: string } }[] }).tools
                .map((tool) => tool.function.name)
                .filter((tool) => /calculate|unit_convert/.test(tool))
                .join(),
            ),
          ),
        ],
        ["calculate,unit_convert"],
      );
    },
  );
}
