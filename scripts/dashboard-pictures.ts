/**
 * `node --conditions=hermes-source scripts/dashboard-pictures.ts [FOLDER]`: plays a conversation and writes pictures of
 * the dashboard's pages, light and dark, wide and on a phone. Default folder: `.cache/screenshots`. Needs Chromium.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Browser, NO_BROWSER } from "../test/end-to-end/support/browser.ts";
import { DashboardScene } from "../test/end-to-end/support/dashboard-scene.ts";
import { startOpenAiServer } from "../test/servers/openai.ts";
import type { ScriptedReply } from "../test/servers/script.ts";

const folder = process.argv[2] ?? join(import.meta.dirname, "../.cache/screenshots");
/** Code is drawn again when the grammar of its language has arrived. */
const GRAMMAR_MS = 700;

const SIZES = { wide: [1280, 900], phone: [390, 844] } as const;

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

if (NO_BROWSER !== false) throw new Error(NO_BROWSER);
mkdirSync(folder, { recursive: true });

let next = 0;
await using model = await startOpenAiServer(() => REPLIES[next++] ?? { text: "Done." });
await using scene = await DashboardScene.open((user) => {
  user.write(
    "src/add.ts",
    "// Adds two numbers.\nexport function add(a: number, b: number): number {\n  return a - b;\n}\n",
  );
  user.write("src/main.ts", 'import { add } from "./add.ts";\nconsole.log(add(2, 2));\n');
  user.connect("custom", model.url);
});
await using session = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
await session.send("The tests fail. Please find out why and **fix** `add`.");
next = REPLIES.length;
const pages: readonly (readonly [name: string, hash: string, ready: string])[] = [
  ["session", `#/sessions/${session.id}`, "document.querySelectorAll('.call').length > 3"],
  ["sessions", "#/sessions", "document.querySelector('.session-card') !== null"],
  ["status", "#/status", "document.querySelector('.session-card') !== null"],
];
await using browser = await Browser.open();
for (const look of ["light", "dark"])
  for (const [size, [width, height]] of Object.entries(SIZES)) {
    await browser.size(width, height);
    await browser.go("about:blank");
    await browser.go(scene.link);
    await browser.until('document.body.dataset.ready === "status"');
    await browser.value(`localStorage.setItem("hermes-look", ${JSON.stringify(look)})`);
    for (const [name, hash, ready] of pages) {
      await browser.go("about:blank");
      await browser.go(`${scene.url}${hash}`);
      await browser.until(ready);
      await picture(`${name}-${size}-${look}`);
      if (name !== "session") continue;
      await browser.value("document.querySelector('.call.failed .toggle').scrollIntoView({ block: 'start' })");
      await browser.value("document.querySelector('.call.failed .toggle').click()");
      await browser.value("scrollBy(0, -70)");
      await picture(`${name}-call-${size}-${look}`);
      await browser.value("document.querySelector('.nested > summary')?.click()");
      await browser.value("document.querySelector('.nested')?.scrollIntoView({ block: 'center' })");
      await picture(`${name}-subagent-${size}-${look}`);
      await browser.value("scrollTo(0, 1e6)");
      await picture(`${name}-end-${size}-${look}`);
    }
  }

async function picture(name: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, GRAMMAR_MS));
  const file = join(folder, `dashboard-${name}.png`);
  writeFileSync(file, await browser.picture());
  console.log(file);
}
