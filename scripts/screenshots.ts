/**
 * `npm run screenshots [FOLDER] [NAME…]`: plays scripted conversations in a real terminal and writes pictures of its
 * screens, as SVG and as text, and pictures of the dashboard, as WebP. Default folder: `.cache/screenshots`. Needs tmux
 * and Chromium; without one of them, its pictures are left out.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startOpenAiServer } from "../test/servers/openai.ts";
import type { ScriptedReply } from "../test/servers/script.ts";
import { NO_BROWSER } from "../test/end-to-end/support/browser.ts";
import { NO_TMUX, READY, UserTerminal } from "../test/end-to-end/support/interactive-terminal.ts";
import { NewUser } from "../test/end-to-end/support/test-user.ts";
import { takeDashboardPictures } from "./dashboard-pictures.ts";

const root = join(import.meta.dirname, "..");
const folder = process.argv[2] ?? join(root, ".cache/screenshots");

/** Code is drawn again when the grammar of its language has arrived. */
const GRAMMAR_MS = 1_000;

interface Scene {
  readonly name: string;
  readonly columns?: number;
  readonly rows?: number;
  /** On a light background. */
  readonly light?: true;
  readonly replies: readonly ScriptedReply[];
  play(terminal: UserTerminal): Promise<void>;
}

const ANSWER = `The sign was wrong. \`add\` subtracted its second argument, so **2 + 2** was 0.

\`\`\`ts
// Adds two numbers.
export function add(a: number, b: number): number {
  return a + b;
}
\`\`\`

| call | before | now |
|------|-------:|----:|
| add(2, 2) | 0 | 4 |
| add(-1, 1) | -2 | 0 |

1. Fixed \`src/add.ts\`.
2. The tests pass, see [the guide](https://example.org/guide).`;

const todos = (...states: readonly string[]): ScriptedReply => ({
  calls: [
    {
      tool: "todo",
      args: {
        todos: ["Find the wrong sign", "Fix add", "Run the tests"].map((content, at) => ({
          id: String(at),
          content,
          status: states[at]!,
        })),
      },
    },
  ],
});

const call = (tool: string, args: object): ScriptedReply => ({ calls: [{ tool, args: args as never }] });

const FIXING: readonly ScriptedReply[] = [
  todos("in_progress", "pending", "pending"),
  call("search_files", { pattern: "add\\(", path: "src" }),
  call("read_file", { path: "src/add.ts" }),
  call("terminal", { command: "for i in 1 2 3 4 5 6 7 8; do echo ok $i; done; echo 'not ok 9 - add(2, 2)'; exit 1" }),
  call("patch", { path: "src/add.ts", old_string: "a - b", new_string: "a + b" }),
  todos("completed", "completed", "in_progress"),
  call("delegate_task", { tasks: [{ goal: "Look for other wrong signs" }, { goal: "Check the documentation" }] }),
  { text: "There are none." },
  { text: "It is right." },
  { text: ANSWER },
];

async function playFixing(terminal: UserTerminal): Promise<void> {
  await terminal.say("the tests fail, please fix add");
  await terminal.until(/the guide/);
}

const ANSWER_OF_ALL = `# How a request runs

A [request](https://example.org/r) passes **three** parts, see \`gateway.ts\`:

\`\`\`mermaid
flowchart LR
  U[User] -->|text| G[Gateway]
  G --> S[(Store)]
  G --> M[Model]
\`\`\`

| part | 说明 | ms |
|:-----|:-----|---:|
| Gateway | 接收消息，并在存储后确认 | 0.4 |
| Model | answers, and calls tools until nothing is left to do; this cell is long enough to wrap | 1200 |

- [x] stored before it is sent
- [ ] measured
  1. nested, with a sentence that is long enough to wrap in a window of forty columns
> A quote, in *italics*.

\`\`\`python
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b  # a comment that is long enough to wrap in a narrow window
\`\`\`

That is all.`;

async function playAnswer(terminal: UserTerminal): Promise<void> {
  await terminal.say("how does a request run?");
  await terminal.until(/That is all/);
}

const SCENES: readonly Scene[] = [
  { name: "turn", rows: 62, replies: FIXING, play: playFixing },
  { name: "turn-light", rows: 62, light: true, replies: FIXING, play: playFixing },
  { name: "turn-40-columns", columns: 40, rows: 66, replies: FIXING, play: playFixing },
  { name: "answer", rows: 52, replies: [{ text: ANSWER_OF_ALL }], play: playAnswer },
  {
    name: "answer-40-columns",
    columns: 40,
    rows: 66,
    light: true,
    replies: [{ text: ANSWER_OF_ALL }],
    play: playAnswer,
  },
  {
    name: "pager",
    rows: 24,
    replies: FIXING,
    async play(terminal) {
      await playFixing(terminal);
      await terminal.press("C-t");
      await terminal.until(/q closes/);
      await terminal.type("[[");
      await terminal.until(/call 5/);
    },
  },
  {
    name: "running",
    replies: [
      call("terminal", { command: "for i in 1 2 3 4 5 6 7 8 9; do echo step $i of 9; sleep 0.2; done; sleep 20" }),
    ],
    async play(terminal) {
      await terminal.say("build it");
      await terminal.until(/step 9 of 9/);
    },
  },
  {
    name: "approval",
    replies: [call("terminal", { command: "rm -rf build" })],
    async play(terminal) {
      await terminal.say("clean up");
      await terminal.until(/recursive delete/);
    },
  },
  {
    name: "pick-session",
    replies: [
      { text: "The parser dropped the last token. I fixed `src/parse.ts`, and the tests pass." },
      { text: "The page now names each option with its default." },
      { text: "Both branches work; the second one is shorter." },
    ],
    async play(terminal) {
      await terminal.say("the parser drops the last token of a line");
      await terminal.until(/the tests pass/);
      await terminal.say("/branch a shorter parser");
      await terminal.until(/now open/);
      await terminal.say("try the same with a table");
      await terminal.until(/with its default/);
      await terminal.say("/new");
      await terminal.until(/Started a new session/);
      await terminal.say("document the options of the command line");
      await terminal.until(/is shorter/);
      await terminal.say("/new");
      await terminal.until(/Started a new session/);
      await terminal.say("/resume");
      await terminal.until(/1 of 3/);
    },
  },
  {
    name: "pick-model",
    replies: [],
    async play(terminal) {
      await terminal.say("/model");
      await terminal.until(/Enter chooses/);
      await terminal.press("Down");
    },
  },
  {
    name: "pick-tools-40-columns",
    columns: 40,
    replies: [],
    async play(terminal) {
      await terminal.say("/tools");
      await terminal.until(/Enter switches/);
      await terminal.type("file");
    },
  },
  {
    name: "pick-skin",
    replies: [],
    async play(terminal) {
      await terminal.say("/skin");
      await terminal.until(/Enter keeps it/);
      await terminal.type("daylight");
    },
  },
  {
    name: "status-line",
    replies: [
      call("terminal", { command: "sleep 3" }),
      { text: "The build takes three seconds." },
      call("terminal", { command: "sleep 60" }),
    ],
    async play(terminal) {
      await terminal.say("how long does the build take?");
      await terminal.until(/three seconds/);
      await terminal.say("/yolo");
      await terminal.until(/Approvals are off/);
      await terminal.say("build again");
      await terminal.until(/runs terminal/);
    },
  },
];

mkdirSync(folder, { recursive: true });
const only = process.argv.slice(3);
if (NO_TMUX !== false) console.error(`No pictures of the terminal: ${NO_TMUX}`);
else for (const scene of SCENES) if (only.length === 0 || only.includes(scene.name)) await take(scene);
if (NO_BROWSER !== false) console.error(`No pictures of the dashboard: ${NO_BROWSER}`);
else await takeDashboardPictures(folder, only);

async function take({ name, columns = 100, rows = 32, light, replies, play }: Scene): Promise<void> {
  using user = new NewUser();
  user.write(
    "src/add.ts",
    "// Adds two numbers.\nexport function add(a: number, b: number): number {\n  return a - b;\n}\n",
  );
  user.write("src/main.ts", 'import { add } from "./add.ts";\nconsole.log(add(2, 2));\n');
  let next = 0;
  await using server = await startOpenAiServer(() => replies[next++] ?? { text: "Done." });
  user.connect("custom", server.url);
  await using terminal = await UserTerminal.open(user, [], {
    columns,
    rows,
    env: { COLORTERM: "truecolor", COLORFGBG: light === true ? "0;15" : "15;0" },
  });
  await terminal.until(READY);
  await play(terminal);
  await sleep(GRAMMAR_MS);
  const shown = async (colours: boolean): Promise<string> =>
    (await terminal.screen({ colours })).replaceAll(user.folder, "~/project");
  const screen = await shown(true);
  writeFileSync(join(folder, `${name}.txt`), await shown(false));
  const picture = execFileSync(
    process.execPath,
    [join(root, "scripts/terminal-picture.ts"), `hermes: ${name}`, light === true ? "light" : "dark"],
    {
      input: screen,
    },
  );
  writeFileSync(join(folder, `${name}.svg`), picture);
  console.log(`${join(folder, name)}.svg`);
}
