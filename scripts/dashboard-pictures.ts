/** Pictures of the dashboard for `npm run screenshots`: light and dark, wide and on a phone. Needs Chromium. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Browser } from "../test/end-to-end/support/browser.ts";
import { DashboardScene } from "../test/end-to-end/support/dashboard-scene.ts";
import { FilledDashboard } from "../test/end-to-end/support/filled-dashboard.ts";
import { startOpenAiServer } from "../test/servers/openai.ts";
import type { RecordedRequest, ScriptedReply } from "../test/servers/script.ts";

/** Code is drawn again when the grammar of its language has arrived; charts are drawn in the next frame. */
const STILL_MS = 700;
const QUALITY = 82;
const LOOKS = ["light", "dark"] as const;
const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

interface Picture {
  readonly name: string;
  readonly hash: string;
  readonly width: number;
  readonly height: number;
  /** An expression that is true when the page can be pictured. */
  readonly ready: string;
  /** Statements that run then. */
  readonly play?: string;
}

const ANSWER = `The sign was wrong: \`add\` **subtracted** its second argument.

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

- [x] Fixed \`src/add.ts\`
- [x] The tests pass, see [the guide](https://example.org/guide)`;

const usage = (inputTokens: number, cacheReadTokens: number, outputTokens: number): ScriptedReply["usage"] => ({
  inputTokens,
  cacheReadTokens,
  outputTokens,
});
const call = (tool: string, args: object, used: ScriptedReply["usage"], text?: string): ScriptedReply => ({
  text,
  calls: [{ tool, args: args as never }],
  usage: used,
});

const TEST =
  "printf '\\033[32mok\\033[0m 1 - adds\\n\\033[32mok\\033[0m 2 - subtracts\\n\\033[1;31mnot ok\\033[0m 3 - add(2, 2)\\n  expected \\033[32m4\\033[0m, got \\033[31m0\\033[0m\\n'; exit 1";

const REPLIES: readonly ScriptedReply[] = [
  call("search_files", { pattern: "add\\(", path: "src" }, usage(9_214, 0, 88), "I look for the function first."),
  call("read_file", { path: "src/add.ts" }, usage(9_402, 9_200, 42)),
  call("terminal", { command: TEST }, usage(9_611, 9_400, 61)),
  call("patch", { path: "src/add.ts", old_string: "a - b", new_string: "a + b" }, usage(9_930, 9_600, 97)),
  call("delegate_task", { goal: "Check that no other function has the same mistake" }, usage(10_120, 9_900, 70)),
  call("read_file", { path: "src/main.ts" }, usage(3_000, 0, 30)),
  { text: "No other function subtracts.", usage: usage(3_210, 3_000, 18) },
  call(
    "todo",
    {
      todos: [
        { id: "1", content: "Find the wrong sign", status: "completed" },
        { id: "2", content: "Fix add", status: "completed" },
        { id: "3", content: "Run the tests", status: "in_progress" },
      ],
    },
    usage(10_560, 10_100, 60),
  ),
  { text: ANSWER, usage: usage(10_820, 10_500, 240) },
];

/** The chat that waits for an approval. */
const CLEAN_UP = "Remove the build output";
const FOLDERS = ["dist", "coverage", ".cache/build"];

/** Pages in which every kind of content is present. */
const FILLED: readonly Picture[] = [
  { name: "usage", hash: "#/usage", width: 1100, height: 820, ready: isReady("usage") },
  { name: "gateway", hash: "#/gateway", width: 1100, height: 740, ready: isReady("gateway") },
  { name: "memory", hash: "#/memory", width: 1100, height: 740, ready: isReady("memory") },
  {
    name: "checkpoint-phone",
    hash: "#/checkpoints",
    width: 390,
    height: 780,
    ready: `document.querySelector("#main pre") !== null || (document.querySelector("#main details") !== null && (document.querySelector("#main details").open = true, ${button("Show changes")}?.click(), false))`,
  },
];

/** Writes the pictures as WebP, light and dark. @param only Their names without `-light` and `-dark`; empty: all. */
export async function takeDashboardPictures(folder: string, only: readonly string[]): Promise<void> {
  const wanted = ({ name }: Pick<Picture, "name">): boolean => only.length === 0 || only.includes(`dashboard-${name}`);
  if (FILLED.some(wanted)) {
    await using filled = await FilledDashboard.open();
    await takeAll(folder, filled.scene, FILLED.filter(wanted));
  }
  if (!conversationPictures("", "").some(wanted)) return;
  let next = 0;
  const reply = ({ body }: RecordedRequest): ScriptedReply =>
    body.includes(CLEAN_UP)
      ? call(
          "terminal",
          { command: `rm -rf ${FOLDERS.join(" ")}` },
          usage(8_900, 0, 40),
          "I remove what the build wrote.",
        )
      : (REPLIES[next++] ?? { text: "Done." });
  await using model = await startOpenAiServer(reply);
  await using scene = await DashboardScene.open((user) => {
    user.write(
      "src/add.ts",
      "// Adds two numbers.\nexport function add(a: number, b: number): number {\n  return a - b;\n}\n",
    );
    user.write("src/main.ts", 'import { add } from "./add.ts";\nconsole.log(add(2, 2));\n');
    // The approval must still be open in the last picture.
    user.connect("custom", model.url, "approvals:\n  timeout: 1800\n");
  });
  await using session = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
  await session.send("The tests fail. Please find out why and **fix** `add`.");
  next = REPLIES.length;
  const chat = await scene.ask("POST", "/api/chats", { cwd: scene.prompter.folder });
  const { id } = chat.json<{ readonly id: string }>();
  await scene.ask("POST", `/api/chats/${id}/messages`, { inputId: "picture-1", text: `${CLEAN_UP}, please.` });
  await takeAll(folder, scene, conversationPictures(session.id, id).filter(wanted));
}

function conversationPictures(session: string, chat: string): readonly Picture[] {
  const trace = { hash: `#/sessions/${session}`, ready: "document.querySelectorAll('.call').length > 3" };
  const cards = "document.querySelector('.session-card') !== null";
  const openFailed =
    "const toggle = document.querySelector('.call.failed .toggle'); toggle.scrollIntoView({ block: 'start' }); toggle.click(); scrollBy(0, -70);";
  const openSubagent =
    "document.querySelector('.nested > summary').click(); document.querySelector('.nested').scrollIntoView({ block: 'center' });";
  const approval = { hash: `#/chat/${chat}`, ready: "document.querySelector('.dock .approval') !== null" };
  return Object.entries({ wide: WIDE, phone: PHONE }).flatMap(([size, shape]) => [
    { name: `session-${size}`, ...shape, ...trace },
    { name: `session-call-${size}`, ...shape, ...trace, play: openFailed },
    { name: `session-subagent-${size}`, ...shape, ...trace, play: openSubagent },
    { name: `session-end-${size}`, ...shape, ...trace, play: "scrollTo(0, 1e6)" },
    { name: `sessions-${size}`, ...shape, hash: "#/sessions", ready: cards },
    { name: `status-${size}`, ...shape, hash: "#/status", ready: cards },
    { name: `chat-approval-${size}`, ...shape, ...approval },
  ]);
}

async function takeAll(folder: string, scene: DashboardScene, pictures: readonly Picture[]): Promise<void> {
  await using browser = await Browser.open();
  await browser.hideScrollbars();
  await browser.go(scene.link);
  await browser.until(isReady("status"));
  for (const { name, hash, width, height, ready, play } of pictures)
    for (const look of LOOKS) {
      await browser.size(width, height);
      await browser.value(`localStorage.setItem("hermes-look", "${look}")`);
      await browser.go("about:blank");
      await browser.go(`${scene.url}${hash}`);
      await browser.until(ready);
      if (play !== undefined) await browser.value(`{ ${play} }`);
      await new Promise((resolve) => setTimeout(resolve, STILL_MS));
      const file = join(folder, `dashboard-${name}-${look}.webp`);
      writeFileSync(file, await browser.picture({ format: "webp", quality: QUALITY }));
      console.log(file);
    }
}

function isReady(page: string): string {
  return `document.body?.dataset.ready === "${page}"`;
}

function button(text: string): string {
  return `[...document.querySelectorAll("#main button")].find(({ innerText }) => innerText === "${text}")`;
}
