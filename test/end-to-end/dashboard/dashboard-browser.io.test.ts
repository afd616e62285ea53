import assert from "node:assert/strict";
import { test } from "node:test";
import { Browser, NO_BROWSER } from "../support/browser.ts";
import { DashboardScene } from "../support/dashboard-scene.ts";

const SHOWN = "document.querySelector('#main').innerText";

// req: dashboard.plugin-examples
test(
  "a user visits every page, changes a setting, and enables and disables a plugin with a page and a theme",
  { skip: NO_BROWSER },
  async () => {
    await using scene = await DashboardScene.open((user) => user.write("notes.txt", "the weasel sleeps\n"));
    await using session = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
    await session.send("read notes.txt");
    await using browser = await Browser.open();
    await browser.size(360, 780);
    await browser.go(scene.link);
    await browser.until(`document.body.dataset.ready === "status" && ${SHOWN}.includes("read notes.txt")`);
    // The token has left the address bar.
    assert.equal(await browser.value("location.hash"), "#/");
    const pages = {
      sessions: "read notes.txt",
      config: "model.default",
      keys: "OPENROUTER_API_KEY",
      plugins: "tool-todo",
      skills: "",
      cron: "No jobs yet.",
      logs: "",
    };
    for (const [name, text] of Object.entries(pages)) {
      await browser.value(`location.hash = "#/${name}"`);
      await browser.until(`document.body.dataset.ready === "${name}" && ${SHOWN}.includes(${JSON.stringify(text)})`);
      assert.equal(
        await browser.value("document.documentElement.scrollWidth <= innerWidth"),
        true,
        `${name} is wider than a telephone`,
      );
      assert.equal(await browser.value("document.querySelector('.notice.bad')?.innerText ?? ''"), "", name);
    }
    await browser.value(`location.hash = "#/sessions/${session.id}"`);
    await browser.until(`${SHOWN}.includes("Read notes.txt") && ${SHOWN}.includes("the weasel sleeps")`);

    await browser.value('location.hash = "#/config/agent"');
    await browser.until("document.querySelector('[aria-label=\"agent.max_turns\"]') !== null");
    const give = (value: string): string =>
      `{ const field = document.querySelector('[aria-label="agent.max_turns"]'); field.value = ${JSON.stringify(value)}; field.dispatchEvent(new Event("input", { bubbles: true })); field.form.requestSubmit(); }`;
    await browser.value(give("many"));
    await browser.until(
      "document.querySelector('.notice.bad')?.innerText.includes('\"agent.max_turns\" cannot be \"many\".') === true",
    );
    await browser.value(give("11"));
    await browser.until("document.querySelector('.notice.good') !== null");
    assert.equal(scene.app.config.get("agent.max_turns"), 11);

    const press = (word: string): string =>
      `[...document.querySelectorAll("#main .card")].find((card) => card.innerText.includes("strike-freedom-cockpit")).querySelector("button").innerText === ${JSON.stringify(word)} && ([...document.querySelectorAll("#main .card")].find((card) => card.innerText.includes("strike-freedom-cockpit")).querySelector("button").click(), true)`;
    const tab = '[...document.querySelectorAll("nav a")].some((link) => link.innerText === "Cockpit")';
    const look =
      '[...document.querySelectorAll(".looks option")].some((option) => option.innerText === "Strike Freedom")';
    await browser.value('location.hash = "#/plugins"');
    await browser.until(`${SHOWN}.includes("strike-freedom-cockpit")`);
    assert.deepEqual([await browser.value(tab), await browser.value(look)], [false, false]);
    await browser.until(press("Enable"));
    await browser.until(`${tab} && ${look}`);
    // Its page is drawn in a frame without rights: as high as four gauges, which it learnt of by its plugin's command.
    await browser.value('location.hash = "#/plugin-strike-freedom-cockpit"');
    await browser.until('Number.parseInt(document.querySelector("iframe")?.style.height ?? "0") > 400');
    assert.equal(await browser.value('document.querySelector("iframe").contentDocument'), null);
    await browser.value(
      '{ const looks = document.querySelector(".looks select"); looks.value = "plugin:strike-freedom-cockpit"; looks.dispatchEvent(new Event("change")); }',
    );
    await browser.until('getComputedStyle(document.documentElement).getPropertyValue("--accent").trim() === "#f2c14e"');
    await browser.value('location.hash = "#/plugins"');
    await browser.until(`${SHOWN}.includes("strike-freedom-cockpit")`);
    await browser.until(press("Disable"));
    await browser.until(
      `!${tab} && !${look} && getComputedStyle(document.documentElement).getPropertyValue("--accent").trim() !== "#f2c14e"`,
    );
    // Only the refused setting may cause an error response.
    assert.deepEqual(
      browser.complaints.filter((text) => !text.includes("400 (Bad Request)")),
      [],
    );
  },
);

test("a setting with a secret is read-only until it is reset", { skip: NO_BROWSER }, async () => {
  await using scene = await DashboardScene.open((user) =>
    user.write("~/.hermes/config.yaml", "model:\n  api_key: a-key-of-mine-0123456789\n"),
  );
  await using browser = await Browser.open();
  await browser.go(scene.link);
  await browser.until('document.body.dataset.ready === "status"');
  await browser.value('location.hash = "#/config/model"');
  const field = "document.querySelector('[aria-label=\"model.api_key\"]')";
  await browser.until(`${field} !== null`);
  assert.deepEqual(
    [
      await browser.value(`${field}.value`),
      await browser.value(`${field}.readOnly`),
      await browser.value(`${field}.form.querySelector("button").hidden`),
    ],
    ["***", true, true],
  );
  assert.equal(await browser.value(`${field}.closest(".card").innerText.includes("contains a secret")`), true);
  await browser.value(`${field}.form.querySelectorAll("button")[1].click()`);
  await browser.until(`${field}.value === "" && !${field}.readOnly && !${field}.form.querySelector("button").hidden`);
  assert.equal(scene.app.config.get("model.api_key") ?? "", "");
});

test("without the token the page explains where to get the link", { skip: NO_BROWSER }, async () => {
  await using scene = await DashboardScene.open();
  await using browser = await Browser.open();
  await browser.go(scene.url);
  await browser.until(`${SHOWN}.includes("Open the link that hermes dashboard printed")`);
  assert.match(String(await browser.value(SHOWN)), /hermes dashboard printed; each start prints a new one\./);
});

/** Sets the height of its frame: 1000, and one more for each way to WebRTC that is open. */
const LEAKING = `
export default async (place) => {
  let open = 0;
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) if (globalThis[name]) open += 1;
  const script = new URL("leak.js", import.meta.url).href;
  addEventListener("message", ({ data }) => { if (data?.leak) open += 10; });
  const frame = document.createElement("iframe");
  document.body.append(frame);
  try { if (frame.contentWindow.RTCPeerConnection) open += 100; } catch {}
  const inner = "<script src='" + script + "'></" + "script>";
  const ways = [
    (child) => { child.srcdoc = inner; },
    (child) => child.setAttribute("srcdoc", inner),
    (child) => { child.src = new URL("leak.html", import.meta.url).href; },
    (child, parent) => { parent.innerHTML = '<iframe srcdoc="' + inner + '"></iframe>'; },
  ];
  for (const way of ways) {
    const parent = document.createElement("div");
    document.body.append(parent);
    const child = document.createElement("iframe");
    try { way(child, parent); parent.append(child); } catch {}
  }
  place.innerHTML = "<p>a page may still write HTML</p>";
  await new Promise((resolve) => setTimeout(resolve, 1000));
  place.style.height = (1000 + open + (place.querySelector("p") === null ? 500 : 0)) + "px";
};
`;

// field: S09
test("denies WebRTC to a plugin's page and to every document that the page creates", { skip: NO_BROWSER }, async () => {
  await using scene = await DashboardScene.open((user) => {
    const folder = "~/.hermes/plugins/leaking";
    user.write(`${folder}/plugin.yaml`, "name: leaking\nversion: 1.0.0\ndescription: Leaks.\n");
    user.write(`${folder}/index.js`, "export default () => {};\n");
    user.write(`${folder}/dashboard/manifest.json`, JSON.stringify({ label: "Leak", entry: "page.js" }));
    user.write(`${folder}/dashboard/page.js`, LEAKING);
    user.write(
      `${folder}/dashboard/leak.js`,
      "if (globalThis.RTCPeerConnection) parent.postMessage({ leak: true }, '*');\n",
    );
    user.write(`${folder}/dashboard/leak.html`, '<script src="leak.js"></script>');
  });
  await scene.ask("POST", "/api/plugins/leaking/enable", {});
  await using browser = await Browser.open();
  await browser.go(scene.link);
  await browser.until('document.body.dataset.ready === "status"');
  await browser.value('location.hash = "#/plugin-leaking"');
  const height = 'Number.parseInt(document.querySelector("iframe")?.style.height ?? "0")';
  await browser.until(`${height} >= 1000`);
  assert.equal(await browser.value(height), 1000);
});
