import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { Browser, NO_BROWSER } from "../support/browser.ts";
import { asked } from "../support/dashboard-lines.ts";
import { DashboardScene } from "../support/dashboard-scene.ts";
import type { NewUser } from "../support/test-user.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

const NO_TERMINAL = ["python3", "script"].some((name) => spawnSync(name, ["--version"]).status === 0)
  ? false
  : "there is neither python3 nor script to make a pseudo-terminal with";

/** The dashboard that `hermes dashboard --tui` starts, with this user's home. */
const hermesOf = (user: NewUser): readonly string[] => [
  "env",
  `HOME=${user.home}`,
  process.execPath,
  "--conditions=hermes-source",
  join(import.meta.dirname, "../../../src/main.ts"),
  "chat",
  "--tui",
];

interface Report {
  readonly id?: string;
  readonly output?: string;
  readonly ended?: number | null;
}

const turnsOf = (scene: DashboardScene) => async (): Promise<true | undefined> =>
  (await scene.app.sessions.list()).some(({ turns }) => turns === 1) ? true : undefined;

// req: dashboard.tui
test("the terminal tab's interface answers a prompt and ends when the tab closes", { skip: NO_TERMINAL }, async () => {
  await using scene = await DashboardScene.open(undefined, hermesOf);
  assert.match((await scene.ask("GET", "/", undefined, {})).text, /<html data-terminal/);
  assert.equal((await scene.ask("GET", "/api/chat?rows=30&columns=100", undefined, {})).status, 401);
  let id: string | undefined;
  {
    await using message = await asked<Report>(scene, "/api/chat?rows=30&columns=100");
    ({ id } = await message.next());
    for (let shown = ""; !/Hermes[^]*Ctrl-D/.test(shown);) shown += (await message.next()).output ?? "";
    assert.equal((await scene.ask("POST", `/api/chat/${id}/size`, { rows: 40, columns: 90 })).status, 200);
    assert.equal((await scene.ask("POST", `/api/chat/${id}/input`, { text: "hello there" })).status, 200);
    assert.equal((await scene.ask("POST", `/api/chat/${id}/input`, { text: "\r" })).status, 200);
    for (let shown = ""; !shown.includes("built-in rule-based model, not");)
      shown += (await message.next()).output ?? "";
    await waitFor(turnsOf(scene));
  }
  await waitFor(async () =>
    (await scene.ask("POST", `/api/chat/${id}/input`, { text: "x" })).status === 400 ? true : undefined,
  );
});

// req: dashboard.tui
test("without the terminal tab its route does not exist", async () => {
  await using scene = await DashboardScene.open();
  assert.doesNotMatch((await scene.ask("GET", "/", undefined, {})).text, /data-terminal/);
  for (const path of ["/api/chat", "/page/xterm.mjs", "/page/xterm.css"])
    assert.equal((await scene.ask("GET", path)).status, 404, path);
  assert.equal((await scene.ask("POST", "/api/chat/any/input", { text: "x" })).status, 404);
});

// req: dashboard.tui
test(
  "the page has a terminal tab that shows typed text, and F6 moves the focus out of it",
  { skip: NO_TERMINAL || NO_BROWSER },
  async () => {
    await using scene = await DashboardScene.open(undefined, hermesOf);
    await using browser = await Browser.open();
    await browser.size(1000, 800);
    await browser.go(scene.link);
    await browser.until('document.body.dataset.ready === "status"');
    await browser.value(
      '[...document.querySelectorAll("nav a")].find((link) => link.innerText === "Terminal").click()',
    );
    const rows = 'document.querySelector(".xterm-rows")?.innerText.replaceAll("\\u00a0", " ")';
    await browser.until(`${rows}?.includes("Ctrl-D") === true`);
    await browser.type("hello there\r");
    await browser.until(`${rows}?.includes("rule-based") === true`);
    await waitFor(turnsOf(scene));
    // The terminal takes every key but one.
    await browser.press("Tab");
    assert.equal(await browser.value('document.activeElement.closest("#terminal") !== null'), true);
    await browser.press("F6");
    assert.equal(await browser.value("document.activeElement.innerText"), "Terminal");
    // Leaving the page ends the session, like closing its window.
    await browser.value('location.hash = "#/status"');
    await browser.until('document.body.dataset.ready === "status"');
    assert.deepEqual(browser.complaints, []);
  },
);
