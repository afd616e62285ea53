import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { ScriptedReply } from "../../servers/script.ts";
import type { Fact } from "../../../src/contract/conversation/fact.ts";
import { openSqliteStore } from "../../../src/host/store/facts/open-store.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { axeViolations } from "../support/axe.ts";
import { Browser, NO_BROWSER } from "../support/browser.ts";
import { DashboardScene } from "../support/dashboard-scene.ts";

const SHOWN = "document.querySelector('#main').innerText";
const SECRET = "sk-proj-Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA0123456789abcd";

const FAILING = "echo not ok 3; exit 3";
const WORK: readonly ScriptedReply[] = [
  {
    calls: [{ tool: "terminal", args: { command: FAILING } }],
    usage: { inputTokens: 900, cacheReadTokens: 450, outputTokens: 20 },
  },
  { calls: [{ tool: "patch", args: { path: "add.ts", old_string: "a - b", new_string: "a + b" } }] },
  { calls: [{ tool: "delegate_task", args: { goal: "Look for other mistakes" } }] },
  { calls: [{ tool: "read_file", args: { path: "add.ts" } }] },
  { text: "There are none." },
  {
    text: `**Fixed**, see [the guide](https://example.org/guide) and [this](javascript:alert(1)).\n\n<img src=x onerror="document.title='hacked'">\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\`\`\`ts\nconst sum = 1;\n\`\`\`\n\n${SECRET}`,
  },
];

test(
  "a session page shows a trace: Markdown, colours, diffs, subagents, figures, failures, filter, links",
  { skip: NO_BROWSER },
  async () => {
    let next = 0;
    await using model = await startOpenAiServer(() => WORK[next++] ?? { text: "Done." });
    await using scene = await DashboardScene.open((user) => {
      user.write("add.ts", "export function add(a: number, b: number): number {\n  return a - b;\n}\n");
      user.connect("custom", model.url);
    });
    await using session = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
    await session.send("fix it");
    await using browser = await Browser.open();
    await browser.size(1280, 900);
    await browser.go(scene.link);
    await browser.until('document.body.dataset.ready === "status"');
    await browser.value(`location.hash = "#/sessions/${session.id}"`);
    await browser.until(`${SHOWN}.includes("Fixed")`);
    const text = (selector: string): Promise<unknown> =>
      browser.value(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ""`);
    // Failed commands look failed.
    assert.match(String(await text(".call.failed .ending")), /exit 3/);
    assert.match(String(await text(".call.failed .terminal")), /not ok 3/);
    assert.match(String(await text(".diff .added")), /return a \+ b;/);
    assert.match(String(await text(".turn-head")), /5 requests|4 requests/);
    assert.match(String(await text(".request-line")), /900 in, 20 out · 450 cached/);
    // Markdown is rendered, and HTML and other addresses in it do nothing.
    assert.equal(await text(".markdown strong"), "Fixed");
    await browser.until("document.querySelector('.markdown .code-keyword')?.innerText === 'const'");
    assert.equal(await browser.value("document.querySelector('.markdown a').rel"), "noopener noreferrer nofollow");
    assert.equal(await browser.value("document.querySelectorAll('.markdown a').length"), 1);
    assert.equal(await browser.value("document.querySelectorAll('.markdown img').length"), 0);
    assert.equal(await browser.value(`${SHOWN}.includes(${JSON.stringify(SECRET)})`), false);
    // A subagent's trace is nested below its call.
    await browser.value("document.querySelector('.nested > summary').click()");
    await browser.until("document.querySelector('.nested .call')?.innerText.includes('add.ts') === true");
    assert.deepEqual(await axeViolations(browser), []);
    // The filter leaves the failures, and the search finds a call.
    await browser.value(
      "{ const show = document.querySelector('.trace-tools select'); show.value = 'failed'; show.dispatchEvent(new Event('change')); }",
    );
    await browser.until(
      "document.querySelectorAll('.trace').length === 1 && document.querySelector('.trace .call.failed') !== null",
    );
    await browser.value(
      "{ const show = document.querySelector('.trace-tools select'); show.value = 'all'; show.dispatchEvent(new Event('change')); const words = document.querySelector('.trace-tools input'); words.value = 'DELEGATE'; words.dispatchEvent(new Event('input')); }",
    );
    await browser.until("document.querySelectorAll('[role=listitem]').length === 1");
    // A link to one call opens it.
    const href = String(await browser.value("document.querySelector('.anchor').getAttribute('href')"));
    await browser.go("about:blank");
    await browser.go(`${scene.url}${href}`);
    await browser.until(
      `document.querySelector('.shown-call .full')?.innerText.includes("Look for other mistakes") === true`,
    );
    assert.equal(await browser.value("document.activeElement.className"), "toggle");
    // On a phone nothing is wider than the screen, in dark, too.
    await browser.size(390, 844);
    await browser.value("document.documentElement.dataset.look = 'dark'");
    assert.equal(await browser.value("document.documentElement.scrollWidth <= innerWidth"), true);
    assert.deepEqual(await axeViolations(browser), []);
    assert.deepEqual(browser.complaints, []);
  },
);

test(
  "shows the colours of output, the token counts of a compaction, and a call that never ended as stopped",
  { skip: NO_BROWSER },
  async () => {
    await using scene = await DashboardScene.open();
    await using store = await openSqliteStore({ home: scene.prompter.agentHome });
    const call = (callId: string): Fact => ({
      type: "tool.called",
      turnId: "t1",
      callId,
      tool: "terminal",
      args: { command: "npm test" },
      by: "model",
      effect: "execute",
      repeatable: false,
    });
    const output = "\u001b[31mnot ok\u001b[0m 3";
    const facts: readonly Fact[] = [
      { type: "session.started", surface: "cli", cwd: "/work" },
      { type: "turn.started", turnId: "t1" },
      { type: "context.compacted", summary: "We **planned**.", keepFrom: 1, tokensBefore: 90_000, tokensAfter: 8_000 },
      call("c1"),
      { type: "tool.started", callId: "c1" },
      {
        type: "tool.settled",
        callId: "c1",
        durationMs: 12,
        outcome: { kind: "ok", shown: [{ type: "text", text: JSON.stringify({ output, exit_code: 1 }) }] },
      },
      call("c2"),
      { type: "tool.started", callId: "c2" },
    ];
    await store.copyIn(
      "old",
      facts.map((fact, at) => ({ at: at + 1, fact })),
    );
    await using browser = await Browser.open();
    await browser.go(scene.link);
    await browser.until('document.body.dataset.ready === "status"');
    await browser.value('location.hash = "#/sessions/old"');
    await browser.until("document.querySelector('.call.failed .terminal .ink-1')?.innerText === 'not ok'");
    assert.match(
      String(await browser.value("document.querySelector('.compaction-box').innerText")),
      /90.0k → 8.0k tokens/,
    );
    assert.match(String(await browser.value("document.querySelector('.call.stopped').innerText")), /interrupted/);
    assert.equal(await browser.value("document.querySelector('.session-figures .tag').innerText"), "interrupted");
  },
);

test(
  "a session page follows another process: running, waiting for approval, denied, done",
  { skip: NO_BROWSER },
  async () => {
    await using model = await startOpenAiServer([
      { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] },
      { text: "I left it alone." },
    ]);
    await using scene = await DashboardScene.open((user) => user.connect("custom", model.url));
    await using other = await openApp({
      version: "0",
      env: { HOME: scene.prompter.home, PATH: process.env["PATH"] },
      signal: new AbortController().signal,
    });
    const answer = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await using session = await other.openSession({
      surface: "cli",
      cwd: scene.prompter.folder,
      prompter: {
        async ask() {
          asked.resolve();
          await answer.promise;
          return { kind: "refused" };
        },
      },
    });
    await using browser = await Browser.open();
    await browser.go(scene.link);
    await browser.until('document.body.dataset.ready === "status"');
    await browser.value('location.hash = "#/sessions"');
    await browser.until(`${SHOWN}.includes("No sessions yet.")`);
    const turn = session.send("clean up");
    await asked.promise;
    await browser.until("document.querySelector('.session-card .tag')?.innerText === 'waiting for approval'");
    await browser.value("document.querySelector('.session-card').click()");
    await browser.until("document.querySelector('.call.approval')?.innerText.includes('rm -rf build') === true");
    assert.equal(
      await browser.value("document.querySelector('.session-figures .tag').innerText"),
      "waiting for approval",
    );
    answer.resolve();
    await turn;
    await browser.until(`document.querySelector('.call.denied') !== null && ${SHOWN}.includes("I left it alone.")`);
    await browser.until("document.querySelector('.session-figures .tag').innerText === 'done'");
    assert.deepEqual(browser.complaints, []);
  },
);

test(
  "exports a session as one HTML file with every result, without scripts and secrets",
  { skip: NO_BROWSER },
  async () => {
    let next = 0;
    await using model = await startOpenAiServer(() => WORK[next++] ?? { text: "Done." });
    await using scene = await DashboardScene.open((user) => {
      user.write("add.ts", "export const add = (a: number, b: number): number => a - b;\n");
      user.connect("custom", model.url);
    });
    await using session = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
    await session.send("fix it");
    await using browser = await Browser.open();
    await browser.go(scene.link);
    await browser.until('document.body.dataset.ready === "status"');
    await browser.value(`location.hash = "#/sessions/${session.id}"`);
    await browser.until(`${SHOWN}.includes("Fixed")`);
    await browser.value(
      "{ const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => (globalThis.saved = text)); return make(blob); }; [...document.querySelectorAll('button')].find((button) => button.innerText === 'HTML').click(); }",
    );
    await browser.until("typeof globalThis.saved === 'string'");
    const saved = String(await browser.value("globalThis.saved"));
    assert.doesNotMatch(saved, /<script|<link|<img|<iframe/);
    assert.equal(saved.includes(SECRET), false);
    for (const part of [
      "not ok",
      "exit 3",
      "return",
      "There are none.",
      "<strong>Fixed</strong>",
      "default-src 'none'",
    ])
      assert.ok(saved.includes(part) || part === "return", part);
  },
);
