import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readPage } from "../../docs/read-pages.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

const root = join(import.meta.dirname, "../../..");
const withPerl =
  spawnSync("perl", ["-MJSON::PP", "-e", "1"]).status === 0 ? {} : { skip: "there is no perl with JSON::PP" };

/** The example in a new home. */
function withExample(): NewUser & { readonly plugin: string } {
  const user = new NewUser();
  const plugin = join(user.agentHome, "plugins/word-tally");
  cpSync(join(root, "examples/plugins/word-tally-perl"), plugin, { recursive: true });
  return Object.assign(user, { plugin });
}

test(
  "a plugin in Perl is checked, enabled, tested, called and explained, and its hook and slash command work",
  withPerl,
  async () => {
    using user = withExample();
    const run = async (...args: readonly string[]): Promise<string> => {
      const { status, out, err } = await user.run(args);
      assert.equal(status, 0, `${args.join(" ")}: ${out}${err}`);
      return out.trim();
    };
    assert.equal(await run("plugins", "check", "word-tally"), "✓ word-tally");
    assert.match(
      await run("plugins", "enable", "word-tally"),
      /word-tally v1\.0\.0 \(1 tools, 1 hooks, 1 slash command\) is enabled/,
    );
    assert.match(await run("plugins", "test", "word-tally"), /✓ cancel: the handler ends on cancel/);
    assert.equal(await run("chat", "-q", "/tallied"), "Words were tallied 0 times.");
    assert.equal(
      await run("tools", "call", "tally_words", '{"text":"eins zwei drei vier"}'),
      '{"characters":19,"words":4}',
    );
    assert.equal(await run("chat", "-q", "/tallied"), "Words were tallied once.");
    assert.match(
      await run("plugins", "info", "word-tally"),
      /runs in +a separate process: perl \.\/plugin\.pl\n.*tools +tally_words/,
    );
    assert.match(await run("plugins", "why", "tally_words"), /tally_words is offered on cli\./);
  },
);

test("a model calls the tool of a plugin in Perl and reads its result", withPerl, async () => {
  await using server = await startOpenAiServer([
    { calls: [{ tool: "tally_words", args: '{"text":"a b c"}' }] },
    { text: "Three words." },
  ]);
  using user = withExample();
  user.connect("custom", server.url, "plugins:\n  enabled: [word-tally]\n");
  const { status, out, err } = await user.run(["chat", "-q", "How many words are in: a b c?"]);
  assert.equal(status, 0, err);
  assert.match(out, /Three words\./);
  assert.match(JSON.stringify(server.requests.at(-1)), /characters/);
});

test(
  "a plugin in Perl that exceeds plugins.memory_mb ends alone, and the agent answers the next call",
  withPerl,
  async () => {
    using user = withExample();
    const file = join(user.plugin, "plugin.pl");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(
        "my @words",
        "my $bytes = $text eq 'large' ? 600 << 20 : 1; my $large = 'x' x $bytes; my @words",
      ),
    );
    user.write("~/.hermes/config.yaml", "plugins:\n  enabled: [word-tally]\n  memory_mb: 256\n");
    const large = await user.run(["tools", "call", "tally_words", '{"text":"large"}']);
    assert.match(
      large.out + large.err,
      /did not answer: .* ended with status 1: it needed more memory than plugins\.memory_mb allows/,
    );
    assert.equal(
      (await user.run(["tools", "call", "tally_words", '{"text":"small one"}'])).out.trim(),
      '{"characters":9,"words":2}',
    );
  },
);

/** The page shows parts of the lines, with "…" for any text. */
function holds(line: unknown, shown: unknown): boolean {
  if (shown === "…") return line !== undefined;
  if (typeof shown !== "object" || shown === null) return line === shown;
  if (Array.isArray(shown))
    return Array.isArray(line) && line.length === shown.length && shown.every((item, at) => holds(line[at], item));
  return (
    typeof line === "object" &&
    line !== null &&
    Object.entries(shown).every(([key, value]) => holds((line as { readonly [key: string]: unknown })[key], value))
  );
}

test(
  "the transcript of the protocol's page matches the messages between the agent and the example in Perl",
  withPerl,
  async () => {
    using user = withExample();
    // The same example, with both directions recorded.
    writeFileSync(join(user.plugin, "record.sh"), 'tee "$1/in.log" | perl "$1/plugin.pl" | tee "$1/out.log"\n');
    const manifest = join(user.plugin, "plugin.yaml");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace("[perl, ./plugin.pl]", "[sh, ./record.sh, ./]"));
    user.write("~/.hermes/config.yaml", "plugins:\n  enabled: [word-tally]\n");
    await user.run(["tools", "call", "tally_words", '{"text":"one two three"}']);
    const [transcript] = readPage("docs/plugin-protocol.md").fences.filter(({ info }) => info === "transcript");
    assert.ok(transcript !== undefined, "the page has a block marked `json transcript`");
    for (const [sign, log] of [
      ["→", "in.log"],
      ["←", "out.log"],
    ] as const) {
      const shown: readonly unknown[] = transcript.code
        .split("\n")
        .filter((line) => line.startsWith(sign))
        .map((line) => JSON.parse(line.slice(1)) as unknown);
      const text = readFileSync(join(user.plugin, log), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { readonly method?: string; readonly result?: unknown });
      // A call that takes a second receives a ping.
      const lines = text.filter(({ method, result }) => method !== "ping" && JSON.stringify(result) !== "{}");
      assert.equal(shown.length, lines.length, `${sign} ${JSON.stringify(lines, null, 1)}`);
      for (const [at, line] of shown.entries())
        assert.ok(holds(lines[at], line), `${JSON.stringify(line)} is not ${JSON.stringify(lines[at])}`);
    }
  },
);
