import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { PIECES } from "../../../scripts/build-pieces.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, READY, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** Writes the URL of each module that is loaded before the first connection of this process. */
const RECORDER = `
  const loaded = [];
  require("node:module").registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  const { Socket } = require("node:net");
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (...given) {
    Socket.prototype.connect = connect;
    require("node:fs").writeFileSync(process.env.LOADED_BEFORE, JSON.stringify(loaded));
    return connect.apply(this, given);
  };
`;

/** The core of the build: its entry modules, and every module that is loaded with them. */
function coreOfBuild(): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    const text = readFileSync(join(ROOT, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
    for (const [, type, from = ""] of text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b(\s+type\b)?[^"';]*?\bfrom\s*"([^"]+)"/g,
    ))
      if (type === undefined && from.startsWith(".")) visit(join(dirname(file), from));
  };
  for (const file of ["src/main.ts", ...PIECES["core"]!]) visit(file);
  return found;
}

test("a one-shot loads only files of the build's core before its first request", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "first" }, { text: "second" }]);
  user.connect("custom", server.url);
  const list = join(user.home, "loaded.json");
  const recorder = user.write("~/recorder.cjs", RECORDER);
  const env = { LOADED_BEFORE: list, NODE_OPTIONS: `--require=${recorder}` };
  // The first start also creates the home.
  for (const answer of ["first", "second"]) {
    const { status, out, err } = await user.run(["chat", "-q", "hello"], undefined, env);
    assert.equal(status, 0, err);
    assert.match(out, new RegExp(answer));
  }
  const loaded = (JSON.parse(readFileSync(list, "utf8")) as string[])
    .filter((url) => url.startsWith("file:"))
    .map((url) => relative(ROOT, fileURLToPath(url)))
    .filter((file) => /^(src|plugins)\//.test(file));
  assert.ok(loaded.includes("plugins/model-http/chat-completions/client.ts"), loaded.join("\n"));
  const core = coreOfBuild();
  assert.deepEqual(
    loaded.filter((file) => !core.has(file)),
    [],
    "Load these after the first request, or add their entry module to `core` in scripts/build-pieces.ts.",
  );
});

/** Writes the URL of each module that is loaded before the prompt is drawn. */
const SCREEN_RECORDER = `
  const loaded = [];
  require("node:module").registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  const { write } = process.stdout;
  process.stdout.write = function (...given) {
    if (String(given[0]).includes("Ctrl-D exits")) {
      process.stdout.write = write;
      require("node:fs").writeFileSync(process.env.LOADED_BEFORE, JSON.stringify(loaded));
    }
    return write.apply(this, given);
  };
`;

/** The files that draw the interactive screen, below `src/surfaces/cli`. */
const SCREEN_FILES = `
  editor/prompt-editor interactive keys/actions keys/bindings keys/key-bindings keys/key-help keys/user-keys
  prompt/completions prompt/dialog-prompter prompt/dialogs prompt/history-file prompt/keyed-list prompt/picker
  prompt/project-files prompt/queued-inputs prompt/queued-line prompt/shell-lines screen screen-conversation
  screen-layout terminal/background terminal/escape-sequence terminal/key-stream terminal/patient-terminal
  terminal/suspension view/banner view/call-card view/conversation-view view/cost-field view/fitted-screen
  view/image-bar view/labelled view/narrow-window view/status-line view/theme view/thoughts
  view/thumbnails view/ticker view/truncate-line view/user-message
`
  .trim()
  .split(/\s+/);

test("an interactive start loads only these files and packages for its screen", { skip: NO_TMUX }, async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([]);
  user.connect("custom", server.url);
  const list = join(user.home, "loaded.json");
  const recorder = user.write("~/recorder.cjs", SCREEN_RECORDER);
  const env = { LOADED_BEFORE: list, NODE_OPTIONS: `--require=${recorder}` };
  await using terminal = await UserTerminal.open(user, [], { env });
  await terminal.until(READY);
  const loaded = (JSON.parse(readFileSync(list, "utf8")) as string[])
    .filter((url) => url.startsWith("file:"))
    .map((url) => relative(ROOT, fileURLToPath(url)));
  const screen = loaded.flatMap((file) => /^src\/surfaces\/cli\/interactive\/(.*)\.ts$/.exec(file)?.[1] ?? []);
  assert.deepEqual(screen.toSorted(), SCREEN_FILES.toSorted(), "Load these on first use, or add them to the list.");
  const packages = new Set(loaded.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []));
  assert.deepEqual([...packages].toSorted(), [
    "@earendil-works/pi-tui",
    "commander",
    "get-east-asian-width",
    "marked",
    "marked-cjk-friendly",
    "yaml",
  ]);
});
