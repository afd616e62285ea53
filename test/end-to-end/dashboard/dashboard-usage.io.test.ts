import assert from "node:assert/strict";
import { test } from "node:test";
import type { UsageShown } from "../../../src/surfaces/dashboard/usage-shown.ts";
import { axeViolations } from "../support/axe.ts";
import { Browser, NO_BROWSER } from "../support/browser.ts";
import { DashboardScene } from "../support/dashboard-scene.ts";
import { aMonthOfUsage, writeUsage } from "../support/usage-rows.ts";

const SHOWN = "document.querySelector('#main').innerText";

test("the usage page and its CSV have the same sums as hermes cost for every group", async () => {
  await using scene = await DashboardScene.open();
  await using session = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
  await session.send("hello there");
  await writeUsage(scene.prompter.agentHome, aMonthOfUsage(session.id));
  for (const by of ["day", "model", "session", "tool", "job", "user", "kind"]) {
    const usage = await scene.get<UsageShown>(`/api/usage?by=${by}&since=30d`);
    const ran = await scene.prompter.run(["cost", "--by", by, "--since", "30d", "--json"]);
    const { groups, total } = JSON.parse(ran.out) as {
      readonly groups: readonly { readonly name: string | null }[];
      readonly total: object;
    };
    assert.deepEqual(
      usage.rows.map(({ cost: _cost, title: _title, ...sum }) => sum),
      groups.map((group) => ({ ...group, name: group.name ?? "" })),
      by,
    );
    const { name: _name, cost: _cost, ...sum } = usage.total;
    assert.deepEqual(sum, total, by);
    const csv = await scene.ask("GET", `/api/usage/csv?by=${by}&since=30d`);
    assert.equal(csv.text, (await scene.prompter.run(["cost", "--by", by, "--since", "30d", "--csv"])).out);
    assert.equal(csv.headers.get("content-disposition"), `attachment; filename="hermes-usage-${by}.csv"`);
  }
  const { rows, days } = await scene.get<UsageShown>("/api/usage?by=session");
  assert.equal(rows.find(({ name }) => name === session.id)?.title, "hello there");
  assert.equal(days.length, 30);
  assert.equal(days.filter(({ requests }) => requests === 0).length > 0, true);
  const models = (await scene.get<UsageShown>("/api/usage?by=model")).rows;
  assert.equal(models.find(({ name }) => name === "custom/lab-model")?.cost, "$?");
  const refused = await scene.ask("GET", "/api/usage?since=yesterday");
  assert.deepEqual(
    [refused.status, refused.json<{ readonly error: string }>().error],
    [400, '"yesterday" is no day to count from.'],
  );
});

test("lists every day since the first request if the range starts earlier", async () => {
  await using scene = await DashboardScene.open();
  assert.deepEqual((await scene.get<UsageShown>("/api/usage?since=2000-01-01")).days, []);
  await writeUsage(scene.prompter.agentHome, [{ days: 400, usd: 1 }]);
  assert.equal((await scene.get<UsageShown>("/api/usage?since=2000-01-01")).days.length, 401);
});

test(
  "the Usage page draws charts that need no colour, with a table, and never shows an unknown cost as zero",
  { skip: NO_BROWSER },
  async () => {
    await using scene = await DashboardScene.open();
    await using session = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
    await session.send("hello there");
    await writeUsage(scene.prompter.agentHome, aMonthOfUsage(session.id));
    await using browser = await Browser.open();
    await browser.size(390, 844);
    await browser.go(scene.link);
    await browser.until('document.body.dataset.ready === "status"');
    await browser.value('location.hash = "#/usage"');
    await browser.until(`${SHOWN}.includes("custom/lab-model")`);
    const row = (name: string): string =>
      `[...document.querySelectorAll("#main > div > div > .scroll tr")].find((row) => row.innerText.includes(${JSON.stringify(name)}))`;
    assert.match(String(await browser.value(`${row("custom/lab-model")}.innerText`)), /unknown/);
    assert.doesNotMatch(String(await browser.value(`${row("custom/lab-model")}.innerText`)), /\$0/);
    assert.match(String(await browser.value(SHOWN)), /≥ \$\d+\.\d\d\n2 requests of unknown cost/);
    // Each part of a bar has a pattern that differs from the others'.
    const fills = (await browser.value(
      'JSON.stringify([...document.querySelectorAll(".legends rect.part")].map((part) => part.getAttribute("fill").replace(/chart-\\d+-/, "")))',
    )) as string;
    assert.deepEqual(JSON.parse(fills), [
      "currentColor",
      "url(#open)",
      "url(#hatched)",
      "currentColor",
      "url(#dotted)",
    ]);
    assert.equal(await browser.value('document.querySelectorAll(".plot svg[role=img][aria-label]").length'), 2);
    assert.equal(await browser.value('document.querySelectorAll(".plot .mark-text").length'), 2);
    assert.equal(await browser.value("document.documentElement.scrollWidth <= innerWidth"), true);
    assert.deepEqual(await axeViolations(browser), []);

    const choose = (label: string, value: string): string =>
      `{ const field = document.querySelector('select[aria-label="${label}"]'); field.focus(); field.value = "${value}"; field.dispatchEvent(new Event("change")); }`;
    await browser.value(choose("Group by", "tool"));
    await browser.until(`${SHOWN}.includes("vision_analyze") && ${SHOWN}.includes("(no tool)")`);
    // The field keeps the focus, and the address leads back to what is shown.
    assert.equal(await browser.value("document.activeElement.ariaLabel"), "Group by");
    assert.equal(await browser.value("location.hash"), "#/usage/tool/30d");
    await browser.value(choose("Time", "365d"));
    await browser.until(`${SHOWN}.includes("Cost by month")`);
    await browser.value(choose("Time", "date"));
    await browser.value(
      '{ const day = document.querySelector("input[type=date]"); day.value = "2030-01-01"; day.dispatchEvent(new Event("change")); }',
    );
    await browser.until(`${SHOWN}.includes("No requests to models or paid services in this time.")`);
    await browser.value(`location.hash = "#/usage/session/30d"`);
    await browser.until(
      `document.querySelector('#main a[href="#/sessions/${session.id}"]')?.innerText === "hello there"`,
    );
    assert.deepEqual(browser.complaints, []);
  },
);
