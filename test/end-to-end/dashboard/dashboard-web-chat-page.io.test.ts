import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { ModelScript } from "../../servers/script.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";
import { axeViolations } from "../support/axe.ts";
import { Browser, NO_BROWSER } from "../support/browser.ts";
import { DashboardScene } from "../support/dashboard-scene.ts";

const click = (browser: Browser, text: string, tag = "button"): Promise<unknown> =>
  browser.value(
    `[...document.querySelectorAll(${JSON.stringify(tag)})].find(({ innerText }) => innerText === ${JSON.stringify(text)}).click()`,
  );
const SHOWN = 'document.querySelector("#main").innerText';
const FOCUS = "document.activeElement";

interface ChatPage extends AsyncDisposable {
  readonly scene: DashboardScene;
  readonly browser: Browser;
}

/** A browser that shows a new chat, its editor focused. */
async function chatPage(script: ModelScript, width: number, height: number): Promise<ChatPage> {
  const stack = new AsyncDisposableStack();
  const model = stack.use(await startOpenAiServer(script));
  const scene = stack.use(await DashboardScene.open((user) => user.connect("custom", model.url)));
  const browser = stack.use(await Browser.open());
  await browser.size(width, height);
  await browser.go(scene.link);
  await browser.until('document.body.dataset.ready === "status"');
  await browser.value('location.hash = "#/chat"');
  await browser.until(`${FOCUS}?.id === "message"`);
  return { scene, browser, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const idOf = async ({ browser }: ChatPage): Promise<string> =>
  String(await browser.value('decodeURIComponent(location.hash.replace("#/chat/", ""))'));
/** An answer takes half a minute, unless it is stopped. */
const SLOW = { betweenMs: 400, deltaChars: 1 } as const;

test(
  "sends a message and denies an approval with a reason on a phone screen, by keyboard alone",
  { skip: NO_BROWSER },
  async () => {
    const folders = Array.from({ length: 20 }, (_, at) => `folder${at}`);
    await using page = await chatPage(
      [{ calls: [{ tool: "terminal", args: { command: `rm -rf ${folders.join(" ")}` } }] }, { text: "I **left** it." }],
      390,
      844,
    );
    const { browser } = page;
    await browser.type("clean up\r");
    await browser.until(`document.querySelector(".dock .approval") !== null`);
    // The title has the focus, since nothing was being written.
    await browser.until(`${FOCUS}?.innerText.includes("Approval needed") === true`);
    const shown = String(await browser.value('document.querySelector(".dock .approval dl").textContent'));
    for (const folder of folders) assert.ok(shown.includes(`/${folder} (recursive)`), folder);
    assert.equal(
      await browser.value("document.documentElement.scrollWidth <= innerWidth"),
      true,
      "wider than the screen",
    );
    const dialog = 'document.querySelector(".dock .approval").getBoundingClientRect()';
    assert.equal(
      await browser.value(`${dialog}.top >= 0 && ${dialog}.bottom <= innerHeight`),
      true,
      "all of it is visible",
    );
    assert.deepEqual(await axeViolations(browser), []);
    // Focus order: the effects, then the answers, the denial first.
    await browser.press("Tab");
    assert.equal(await browser.value(`${FOCUS}.classList.contains("about-call")`), true);
    await browser.press("Tab");
    assert.equal(await browser.value(`${FOCUS}.innerText`), "Deny …");
    await browser.press("Enter");
    await browser.until(`${FOCUS}.tagName === "INPUT"`);
    await browser.press("Escape");
    assert.equal(await browser.value(`${FOCUS}.innerText`), "Deny …", "Escape leads back");
    await browser.press("Enter");
    await browser.type("they are needed\r");
    await browser.until(`${SHOWN}.includes("I left it.") && document.querySelector(".approval") === null`);
    assert.equal(await browser.value('document.querySelector(".markdown strong").innerText'), "left");
    assert.equal(await browser.value('document.querySelector(".call.denied") !== null'), true);
    const facts = await Array.fromAsync(page.scene.app.sessions.factsOf(await idOf(page)));
    assert.match(JSON.stringify(facts.find(({ fact }) => fact.type === "approval.given")), /they are needed/);
    assert.deepEqual(browser.complaints, []);
  },
);

test(
  "streams text, queues and edits a message, stops the turn on Escape, and shows the same after a reload",
  { skip: NO_BROWSER },
  async () => {
    const answer = "A slow answer of many words, which streams while another message waits for its end.";
    await using page = await chatPage([{ text: answer, ...SLOW }, { text: "All well." }], 1280, 860);
    const { browser, scene } = page;
    await using other = await Browser.open();
    await other.go(scene.link);
    await other.until('document.body.dataset.ready === "status"');
    await browser.type("one");
    await browser.press("Enter", { shift: true });
    await browser.type("two\r");
    await browser.until('document.querySelector(".partial .markdown") !== null');
    assert.equal(await browser.value('document.querySelector(".entry.user .plain").textContent'), "one\ntwo");
    await browser.type("wait for me\r");
    await browser.until('document.querySelector(".queued .text")?.innerText === "wait for me"');
    assert.deepEqual(await axeViolations(browser), []);
    await browser.press("ArrowUp");
    await browser.until(
      'document.querySelector("#message").value === "wait for me" && document.querySelector(".queued") === null',
    );
    // Another page of the same chat shows the same, from the middle of the answer on.
    await other.value(`location.hash = "#/chat/${await idOf(page)}"`);
    await other.until(`document.querySelector(".partial .markdown")?.innerText.startsWith("A slow") === true`);
    await browser.press("Escape");
    for (const each of [browser, other])
      await each.until(
        'document.querySelector(".composer .danger").hidden && document.querySelector(".notice.warn") !== null',
      );
    await browser.type(" now\r");
    for (const each of [browser, other])
      await each.until(`${SHOWN}.includes("All well.") && ${SHOWN}.includes("wait for me now")`);
    await browser.go("about:blank");
    await browser.go(`${scene.url}#/chat/${await idOf({ ...page, browser: other })}`);
    await browser.until(`${SHOWN}.includes("All well.") && ${SHOWN}.includes("wait for me now")`);
    assert.deepEqual([...browser.complaints, ...other.complaints], []);
  },
);

test(
  "completes commands by keyboard, attaches pasted files, and answers a question with a choice",
  { skip: NO_BROWSER },
  async () => {
    await using page = await chatPage(
      [
        { calls: [{ tool: "clarify", args: { question: "Which colour?", choices: ["red", "blue"] } }] },
        { text: "Blue it is." },
      ],
      1280,
      860,
    );
    const { browser, scene } = page;
    await browser.value(`{
      const data = new DataTransfer();
      data.items.add(new File(["the weasel sleeps"], "notes.txt", { type: "text/plain" }));
      document.querySelector("#message").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }`);
    await browser.until('document.querySelector(".chip")?.innerText.includes("notes.txt") === true');
    await browser.type("paint it\r");
    await browser.until('document.querySelector(".question") !== null');
    assert.deepEqual(await axeViolations(browser), []);
    assert.match(String(await browser.value(SHOWN)), /Attached file: notes\.txt, at .*cache\/documents/);
    await browser.value(
      '[...document.querySelectorAll(".choices button")].find(({ innerText }) => innerText === "blue").click()',
    );
    await browser.until(`${SHOWN}.includes("Blue it is.") && document.querySelector(".question") === null`);
    const first = await idOf(page);
    await browser.value('document.querySelector("#message").focus()');
    await browser.type("/bra");
    await browser.until(
      'document.querySelector(".option[aria-selected=true]")?.innerText.startsWith("/branch") === true',
    );
    assert.deepEqual(await axeViolations(browser), []);
    await browser.press("Tab");
    await browser.until('document.querySelector("#message").value === "/branch "');
    await browser.type("a copy\r");
    await browser.until(
      `location.hash.startsWith("#/chat/") && !location.hash.includes("${first}") && ${SHOWN}.includes("Blue it is.")`,
    );
    assert.equal((await scene.app.sessions.find(await idOf(page))).title, "a copy");
    assert.deepEqual(browser.complaints, []);
  },
);

test(
  "moves a new chat to another folder, renames it in a dialog, and links its trace back to the chat",
  { skip: NO_BROWSER },
  async () => {
    await using page = await chatPage([{ text: "Hello." }], 390, 844);
    const { browser, scene } = page;
    await using before = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
    await before.send("first");
    await before[Symbol.asyncDispose]();
    await browser.value('location.hash = "#/status"');
    await browser.until('document.body.dataset.ready === "status"');
    await browser.value('location.hash = "#/chat"');
    await browser.until('document.querySelector("#folders option") !== null');
    assert.equal(await browser.value('document.querySelector("#folders option").value'), scene.prompter.folder);
    const useFolder = (path: string): Promise<unknown> =>
      browser.value(
        `{ const field = document.querySelector("input[list=folders]"); field.value = ${JSON.stringify(path)}; field.form.requestSubmit(); }`,
      );
    await useFolder("/no/such/folder");
    await browser.until('document.querySelector("#main .notice.bad")?.innerText.includes("is not a folder") === true');
    assert.deepEqual(await axeViolations(browser), []);
    await useFolder(scene.prompter.folder);
    await browser.until(
      `document.querySelector(".about")?.innerText.endsWith(${JSON.stringify(scene.prompter.folder)}) === true`,
    );
    await browser.until(`${FOCUS}?.id === "message"`);
    await browser.type("hi\r");
    await browser.until(`${SHOWN}.includes("Hello.") && location.hash.startsWith("#/chat/")`);
    const id = await idOf(page);
    assert.equal((await scene.app.sessions.find(id)).cwd, scene.prompter.folder);
    await click(browser, "Rename");
    await browser.until(`document.querySelector("dialog") !== null && ${FOCUS}.tagName === "INPUT"`);
    assert.deepEqual(await axeViolations(browser), []);
    await browser.press("Escape");
    await browser.until('document.querySelector("dialog") === null');
    await click(browser, "Rename");
    await browser.until(`document.querySelector("dialog") !== null && ${FOCUS}.tagName === "INPUT"`);
    await browser.type("A weasel\r");
    await waitFor(async () => (await scene.app.sessions.find(id)).title === "A weasel", {
      what: "the chat is renamed",
    });
    await browser.value(`location.hash = "#/sessions/${id}"`);
    await browser.until('document.querySelector(".session-figures") !== null');
    await click(browser, "Continue in chat", "a");
    await browser.until(
      `location.hash === "#/chat/${id}" && ${FOCUS}?.id === "message" && ${SHOWN}.includes("Hello.")`,
    );
    assert.deepEqual(
      browser.complaints.filter((text) => !text.includes("400")),
      [],
    );
  },
);

test(
  "the Approvals page answers another chat's question and then removes the count from its tab",
  { skip: NO_BROWSER },
  async () => {
    await using page = await chatPage(
      [{ calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] }, { text: "Done." }],
      1000,
      800,
    );
    const { browser, scene } = page;
    await browser.type("clean up\r");
    await browser.until('document.querySelector("nav .count")?.innerText.startsWith("1") === true');
    const id = await idOf(page);
    await browser.value('location.hash = "#/approvals"');
    await browser.until('document.querySelector(".pending .approval") !== null');
    assert.deepEqual(await axeViolations(browser), []);
    await browser.value(
      '[...document.querySelectorAll(".answers button")].find(({ innerText }) => innerText.startsWith("Always allow")).click()',
    );
    await browser.until(
      'document.querySelector(".approval") === null && document.querySelector("nav .count") === null',
    );
    await browser.value(`location.hash = "#/chat/${id}"`);
    await browser.until(`${SHOWN}.includes("Done.")`);
    assert.match(JSON.stringify(await scene.app.approvals.rules()), /recursive delete in/);
    assert.deepEqual(browser.complaints, []);
  },
);
