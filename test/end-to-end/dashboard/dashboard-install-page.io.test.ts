import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { axeViolations } from "../support/axe.ts";
import { Browser, NO_BROWSER } from "../support/browser.ts";
import { DashboardScene } from "../support/dashboard-scene.ts";

const DIALOG = 'document.querySelector("dialog")';

test(
  "the install dialog shows the scan and asks; leaving the page denies, Yes installs",
  { skip: NO_BROWSER },
  async () => {
    await using scene = await DashboardScene.open();
    scene.prompter.write(
      "repo/skills/deploy/SKILL.md",
      "---\nname: deploy\ndescription: Deploys.\n---\nRun make deploy.\n",
    );
    const from = join(scene.prompter.folder, "repo/skills/deploy");
    const installed = async (): Promise<boolean> =>
      (await scene.get<readonly { readonly name: string }[]>("/api/skills")).some(({ name }) => name === "deploy");
    await using browser = await Browser.open();
    await browser.size(390, 844);
    await browser.go(scene.link);
    await browser.until('document.body.dataset.ready === "status"');

    const askToInstall = async (): Promise<void> => {
      await browser.value('location.hash = "#/skills"');
      await browser.until('document.body.dataset.ready === "skills"');
      await browser.value(
        `{ const field = document.querySelector('#main details form input'); field.closest("details").open = true; field.value = ${JSON.stringify(from)}; field.form.requestSubmit(); }`,
      );
      await browser.until(`${DIALOG} !== null`);
    };
    await askToInstall();
    assert.equal(
      await browser.value(`${DIALOG}.querySelector("#question").innerText`),
      'Install "deploy"? The agent will follow its instructions.',
    );
    assert.match(String(await browser.value(`${DIALOG}.querySelector("pre").innerText`)), /scan: safe/);
    assert.equal(await browser.value("document.activeElement.innerText"), "No", "Enter alone does not agree");
    assert.deepEqual(await axeViolations(browser), []);
    await browser.value('location.hash = "#/status"');
    await browser.until(`document.body.dataset.ready === "status" && ${DIALOG} === null`);
    assert.equal(await installed(), false);

    // A denial that came late would answer this question too.
    await askToInstall();
    assert.equal(await installed(), false);
    await browser.value(`${DIALOG}.querySelector('button[value="yes"]').click()`);
    await browser.until('document.querySelector("#main .notice.good") !== null');
    await browser.until(
      '[...document.querySelectorAll("#main .card .head b")].some(({ innerText }) => innerText === "deploy")',
    );
    assert.equal(await installed(), true);
    assert.ok(existsSync(join(scene.prompter.agentHome, "skills/deploy/SKILL.md")));
    assert.deepEqual(browser.complaints, []);
  },
);
