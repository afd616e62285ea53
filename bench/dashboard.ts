import { join } from "node:path";
import type { Fact } from "../src/contract/conversation/fact.ts";
import { openSqliteStore } from "../src/host/store/facts/open-store.ts";
import { Browser } from "../test/end-to-end/support/browser.ts";
import { DashboardScene } from "../test/end-to-end/support/dashboard-scene.ts";
import { atMost, ms, quantile, type Figure } from "./figures.ts";

const CALLS = 5_000;
const SESSIONS = 10_000;
const EVENTS = 40;
const STEPS = 120;

/** The dashboard in a real browser: a live event, a session with 5,000 calls, a list of 10,000 sessions. */
export async function dashboardFigures(): Promise<readonly Figure[]> {
  await using scene = await DashboardScene.open();
  await using store = await openSqliteStore({ home: join(scene.prompter.home, ".hermes") });
  await store.copyIn("big", session(CALLS));
  // Writes that wait together share one sync of the disk.
  for (let from = 0; from < SESSIONS; from += 1_000)
    await Promise.all(
      Array.from({ length: 1_000 }, (_, at) => store.copyIn(`s${from + at}`, session(1, `task ${from + at}`))),
    );
  await using browser = await Browser.open();
  await browser.size(1280, 900);
  await browser.go(scene.link);
  await browser.until('document.body.dataset.ready === "status"');
  await browser.value(
    "globalThis.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) shift += entry.value; }).observe({ type: 'layout-shift', buffered: true }); 0",
  );
  const opened: number[] = [];
  for (let round = 0; round < 3; round++) {
    await browser.value('location.hash = "#/logs"');
    await browser.until('document.body.dataset.ready === "logs"');
    opened.push(Number(await browser.value(timeTo("#/sessions/big", "document.querySelectorAll('.call').length > 2"))));
  }
  const traced = await scrolled(browser);
  const listed = Number(
    await browser.value(timeTo("#/sessions", "document.querySelectorAll('.session-card').length > 5")),
  );
  await browser.until(`Number(document.querySelector("[aria-setsize]")?.getAttribute("aria-setsize")) > ${SESSIONS}`);
  const scrolledList = await scrolled(browser);
  await browser.value("scrollTo(0, 0)");
  const late: number[] = [];
  for (let at = 0; at < EVENTS; at++) {
    const text = `live ${at}`;
    const seen = browser.value(
      `new Promise((resolve) => { const look = () => document.querySelector("#main").innerText.includes(${JSON.stringify(text)}) ? resolve(Date.now()) : setTimeout(look, 4); look(); })`,
    );
    await new Promise((resolve) => setTimeout(resolve, 150));
    const sentAt = Date.now();
    await store.append(`s${SESSIONS - 1}`, [{ type: "session.titled", title: text }]);
    late.push(Number(await seen) - sentAt);
  }
  const shift = Number(await browser.value("shift"));
  return [
    atMost(`a page with ${CALLS} calls shows its first rows, first time`, opened[0]!, 1_000, ms),
    atMost(`a page with ${CALLS} calls shows its first rows, again`, Math.max(...opened.slice(1)), 1_000, ms),
    atMost("a frame while it scrolls, p95", quantile(traced, 0.95), 50, ms),
    atMost(`a list of ${SESSIONS} sessions shows its first rows`, listed, 1_000, ms),
    atMost("a frame while it scrolls, p95", quantile(scrolledList, 0.95), 50, ms),
    atMost("another process's change is on the page, p95", quantile(late, 0.95), 200, ms),
    atMost("layout shift of all of this", shift, 0.02, (value) => value.toFixed(4)),
  ];
}

function timeTo(hash: string, condition: string): string {
  return `new Promise((resolve) => { const from = performance.now(); location.hash = ${JSON.stringify(hash)}; const look = () => ${condition} ? resolve(performance.now() - from) : requestAnimationFrame(look); look(); })`;
}

/** The time between frames, in ms, while the page scrolls to its end. */
async function scrolled(browser: Browser): Promise<readonly number[]> {
  const frames = await browser.value(
    `new Promise((resolve) => { const frames = []; let last = performance.now(); let at = 0; const step = () => { const now = performance.now(); frames.push(now - last); last = now; if (++at > ${STEPS}) return resolve(JSON.stringify(frames)); scrollTo({ top: at * 900, behavior: "instant" }); requestAnimationFrame(step); }; requestAnimationFrame(step); })`,
  );
  return JSON.parse(String(frames)) as readonly number[];
}

/** A session with one turn and so many calls. */
function session(calls: number, title = "A long session"): readonly { readonly at: number; readonly fact: Fact }[] {
  const usage = {
    inputTokens: 9_000,
    outputTokens: 120,
    cacheReadTokens: 8_000,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
  const facts: Fact[] = [
    { type: "session.started", surface: "cli", cwd: "/work" },
    { type: "session.titled", title },
    { type: "turn.started", turnId: "t1" },
    { type: "message.added", turnId: "t1", origin: "person", parts: [{ type: "text", text: "do it" }] },
  ];
  for (let at = 0; at < calls; at++) {
    const callId = `c${at}`;
    const requestId = `r${at}`;
    const output = Array.from({ length: 30 }, (_, line) => `\u001b[32mok\u001b[0m ${line} test of part ${at}`).join(
      "\n",
    );
    facts.push(
      { type: "model.asked", turnId: "t1", requestId, model: "loopback", prefixHash: "h", attempt: 1 },
      {
        type: "model.answered",
        turnId: "t1",
        requestId,
        parts: [
          { type: "text", text: `Now part **${at}**.` },
          { type: "tool-call", callId, tool: "terminal", args: JSON.stringify({ command: `npm test -- ${at}` }) },
        ],
        finish: "tool-calls",
        usage,
        costUsd: 0.001,
      },
      {
        type: "tool.called",
        turnId: "t1",
        callId,
        tool: "terminal",
        args: { command: `npm test -- ${at}` },
        by: "model",
        effect: "execute",
        repeatable: false,
      },
      { type: "tool.started", callId },
      {
        type: "tool.settled",
        callId,
        durationMs: 1_200,
        outcome: {
          kind: "ok",
          shown: [{ type: "text", text: JSON.stringify({ output, exit_code: at % 7 === 0 ? 1 : 0 }) }],
        },
      },
    );
  }
  facts.push({ type: "turn.ended", turnId: "t1", reason: "done" });
  const from = Date.now() - facts.length * 250;
  return facts.map((fact, at) => ({ at: from + at * 250, fact }));
}
