import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { scene } from "../support/family.ts";
import { NO_CHROMIUM, openHome, refOf, startSite } from "../support/browsing.ts";

const SHOP = {
  "/": `<title>The shop</title><h1>Teas</h1><p>Long words about tea.</p><a href="/about">About us</a>
    <form action="/search"><label>Search <input name="q"></label><label><input type="checkbox" checked>Green</label>
    <select aria-label="Size" name="size"><option value="s">Small</option><option value="l">Large</option></select><button>Go</button></form>
    <img src="/pixel.svg" alt="A cup" width="20" height="10"><iframe title="Inner" src="/inner"></iframe>`,
  "/inner": `<button onclick="this.textContent = 'Pressed'">In the frame</button>`,
  "/about": `<title>About</title><h1>About us</h1><a href="/">Home</a>`,
  "/search": `<title>Found</title><h1>Results</h1>`,
  "/pixel.svg": (_: unknown, reply: ServerResponse) =>
    void reply
      .writeHead(200, { "content-type": "image/svg+xml" })
      .end(`<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>`),
};

describe("browser", { skip: NO_CHROMIUM }, () => {
  // req: tool-browser.navigate, tool-browser.click-type, tool-browser.core-ten
  test("opens an address, reports title and elements, submits a form; back, keys and frames' buttons work", async () => {
    await using site = await startSite(SHOP);
    await using home = await openHome();
    const opened = await home.call("browser_navigate", { url: `${site.url}/` });
    assert.deepEqual(
      { ...opened, snapshot: "" },
      { success: true, url: `${site.url}/`, title: "The shop", snapshot: "", element_count: 8 },
    );
    assert.match(String(opened["snapshot"]), /- heading "Teas" \[level=1\]\n- link "About us" \[ref=e1\]/);
    assert.match(String(opened["snapshot"]), /- checkbox "Green" \[ref=e\d+\] \[checked\]/);
    assert.doesNotMatch(String(opened["snapshot"]), /Long words/);
    assert.match(
      String((await home.call("browser_snapshot", { full: true }))["snapshot"]),
      /- text: "Long words about tea\."/,
    );

    // There is no page to go back to.
    assert.deepEqual(await home.call("browser_back"), { success: true, url: `${site.url}/` });

    const field = refOf(opened["snapshot"], '"Search"');
    assert.deepEqual(await home.call("browser_type", { ref: field, text: "first" }), {
      success: true,
      typed: "first",
      element: field,
    });
    assert.deepEqual(await home.call("browser_type", { ref: field.slice(1), text: "oolong & more" }), {
      success: true,
      typed: "oolong & more",
      element: field,
    });
    assert.equal(
      (await home.call("browser_type", { ref: refOf(opened["snapshot"], '"Size"'), text: "Large" }))["success"],
      true,
    );
    const button = refOf(opened["snapshot"], '"Go"');
    assert.deepEqual(await home.call("browser_click", { ref: button }), { success: true, clicked: button });
    assert.equal(site.asked.find(({ url }) => url.startsWith("/search"))?.url, "/search?q=oolong+%26+more&size=l");
    assert.match(String((await home.call("browser_snapshot"))["snapshot"]), /heading "Results"/);
    // Of a page that is closed.
    assert.match(String((await home.call("browser_click", { ref: button }))["error"]), /No element @e\d+ on this page/);

    assert.deepEqual(await home.call("browser_back"), { success: true, url: `${site.url}/` });
    const again = (await home.call("browser_snapshot"))["snapshot"];
    const inner = refOf(again, '"In the frame"');
    assert.equal((await home.call("browser_click", { ref: inner }))["success"], true);
    assert.match(String((await home.call("browser_snapshot"))["snapshot"]), /button "Pressed"/);
    await home.call("browser_type", { ref: refOf(again, '"Search"'), text: "by key" });
    assert.deepEqual(await home.call("browser_press", { key: "Enter" }), { success: true, pressed: "Enter" });
    assert.ok(site.asked.some(({ url }) => url.startsWith("/search?q=by+key")));
    assert.match(String((await home.call("browser_press", { key: "Nokey" }))["error"]), /Unknown key/);
  });

  test("the ten tools use less than 620 tokens of a request", async (t) => {
    await using model = await startOpenAiServer(() => ({ text: "Hello." }));
    const { session } = await scene(t, model.url, { extra: "tools:\n  tool_search:\n    enabled: false\n" });
    await session.send("hi");
    const { tools } = JSON.parse(model.requests[0]!.body) as {
      readonly tools: readonly { readonly function: { readonly name: string } }[];
    };
    const ours = tools.filter(({ function: { name } }) => name.startsWith("browser_"));
    assert.deepEqual(
      ours.map(({ function: { name } }) => name.slice("browser_".length)),
      ["back", "click", "console", "get_images", "navigate", "press", "scroll", "snapshot", "type", "vision"],
    );
    assert.ok(JSON.stringify(ours).length / 3.8 < 620, `${JSON.stringify(ours).length / 3.8}`);
  });

  // req: tool-browser.session-kept
  test("a task's browser persists between calls, and another task has another browser", async () => {
    await using site = await startSite({
      "/login": (_, reply) => void reply.writeHead(302, { "set-cookie": "who=ann", location: "/" }).end(),
      "/": ({ cookie }, reply) =>
        void reply
          .writeHead(200, { "content-type": "text/html" })
          .end(`<title>${cookie === "who=ann" ? "Hello Ann" : "Who are you?"}</title>`),
    });
    await using home = await openHome();
    const other = await home.open();
    assert.equal((await home.call("browser_navigate", { url: `${site.url}/login` }))["title"], "Hello Ann");
    assert.equal((await home.call("browser_navigate", { url: `${site.url}/` }))["title"], "Hello Ann");
    assert.match(String((await other.call("browser_snapshot"))["error"]), /No page is open/);
    assert.equal((await other.call("browser_navigate", { url: `${site.url}/` }))["title"], "Who are you?");
    assert.equal((await home.call("browser_navigate", { url: `${site.url}/` }))["title"], "Hello Ann");
  });

  // req: tool-browser.core-ten
  test("reports pictures, console output, errors, expressions, scrolling and dialogs", async () => {
    await using site = await startSite({
      ...SHOP,
      "/loud": `<title>Loud</title><body style="height:5000px"><script>console.log("hello", 7); console.warn("careful"); setTimeout(() => { throw new Error("boom") }, 0);</script><button onclick="document.title = confirm('Sure?') ? 'yes' : 'no'">Ask</button>`,
    });
    await using home = await openHome();
    await home.call("browser_navigate", { url: `${site.url}/` });
    assert.deepEqual(await home.call("browser_get_images"), {
      success: true,
      images: [{ src: `${site.url}/pixel.svg`, alt: "A cup", width: 20, height: 10 }],
      count: 1,
    });
    const { snapshot } = await home.call("browser_navigate", { url: `${site.url}/loud` });
    const result = await home.call("browser_console", { clear: true });
    assert.deepEqual(
      (result["console_messages"] as readonly JsonObject[]).filter(({ source }) => source === "console"),
      [
        { type: "log", text: "hello 7", source: "console" },
        { type: "warning", text: "careful", source: "console" },
      ],
    );
    assert.match(JSON.stringify(result["js_errors"]), /boom.*exception/);
    assert.deepEqual(
      { ...(await home.call("browser_console")), console_messages: [] },
      { success: true, console_messages: [], js_errors: [], total_messages: 0, total_errors: 0 },
    );
    assert.deepEqual(
      await home.call("browser_console", { expression: "({ a: [1, 2], b: await Promise.resolve('x') })" }),
      { success: true, result: { a: [1, 2], b: "x" }, result_type: "object" },
    );
    assert.deepEqual(await home.call("browser_console", { expression: "Promise.resolve(5)" }), {
      success: true,
      result: 5,
      result_type: "number",
    });
    assert.match(
      String((await home.call("browser_console", { expression: "nothing.there" }))["error"]),
      /ReferenceError/,
    );
    assert.deepEqual(await home.call("browser_scroll", { direction: "down" }), { success: true, scrolled: "down" });
    assert.equal((await home.call("browser_console", { expression: "scrollY" }))["result"], 500);
    await home.call("browser_scroll", { direction: "up" });
    assert.equal((await home.call("browser_console", { expression: "scrollY" }))["result"], 0);
    // No user could answer it here, so it is dismissed.
    await home.call("browser_click", { ref: refOf(snapshot, '"Ask"') });
    const [dialog] = (await home.call("browser_snapshot"))["recent_dialogs"] as readonly JsonObject[];
    assert.deepEqual(dialog, { id: "d1", type: "confirm", message: "Sure?", default_prompt: "", answer: "dismiss" });
    assert.equal((await home.call("browser_console", { expression: "document.title" }))["result"], "no");
  });

  // req: tool-browser.screenshot-path, tool-browser.core-ten
  test("shows the page to a vision model; the screenshot is in cache/screenshots even without one", async () => {
    await using site = await startSite(SHOP);
    await using model = await startOpenAiServer(() => ({ text: "A shop." }));
    await using home = await openHome(`model:\n  provider: custom\n  default: loopback\n  base_url: ${model.url}\n`, {
      env: "OPENAI_API_KEY=key-of-the-test\n",
    });
    const { snapshot } = await home.call("browser_navigate", { url: `${site.url}/` });
    const { screenshot_path: path, ...message } = await home.call("browser_vision", {
      question: "What is it?",
      annotate: true,
    });
    const annotations = message["annotations"] as readonly JsonObject[];
    assert.deepEqual({ ...message, annotations: [] }, { success: true, analysis: "A shop.", annotations: [] });
    assert.ok(
      annotations.some(
        ({ ref, role, name }) => ref === refOf(snapshot, '"About us"') && role === "link" && name === "About us",
      ),
    );
    assert.equal(dirname(String(path)), join(home.prompter.agentHome, "cache/screenshots"));
    const picture = readFileSync(String(path));
    assert.equal(picture.subarray(1, 4).toString(), "PNG");
    const { messages } = JSON.parse(model.requests.at(-1)!.body) as { readonly messages: readonly unknown[] };
    assert.ok(
      JSON.stringify(messages.at(-1)).includes(picture.toString("base64").slice(0, 200)) &&
        JSON.stringify(messages.at(-1)).includes("What is it?"),
    );
    assert.doesNotMatch(
      String((await home.call("browser_snapshot", { full: true }))["snapshot"]),
      /\[1\]/,
      "the labels are gone",
    );
  });

  test("runs an expression once, reports a timeout, closes no busy browser, and survives an oversized result", async () => {
    await using site = await startSite({
      "/": `<title>Here</title><button onclick="for (const end = Date.now() + 20000; Date.now() < end; );">Hold</button>`,
      "/count": "",
    });
    await using home = await openHome("browser:\n  inactivity_timeout: 3\n");
    const open = () => home.call("browser_navigate", { url: site.url });
    await open();
    const [, late] = await Promise.all([
      home.call("browser_snapshot"),
      home.call("browser_console", { expression: "new Promise((resolve) => setTimeout(() => resolve(7), 8000))" }),
    ]);
    assert.equal(late["result"], 7);

    const settle = async (settings: string) => {
      home.prompter.write("~/.hermes/config.yaml", `security:\n  allow_private_urls: true\n${settings}`);
      await home.app.plugins.reload();
    };
    await settle("");
    await open();
    const once = await home.call("browser_console", {
      expression: `(() => { const asks = new XMLHttpRequest(); asks.open("GET", "/count", false); asks.send(); JSON.parse("no await"); })()`,
    });
    assert.match(String(once["error"]), /SyntaxError/);
    assert.equal(site.asked.filter(({ url }) => url === "/count").length, 1);

    await open();
    assert.match(
      String((await home.call("browser_console", { expression: "'x'.repeat(70000000)" }))["error"]),
      /browser has exited/,
    );

    await settle("browser:\n  command_timeout: 2\n");
    const { snapshot } = await open();
    const held = await home.session.call("browser_click", { ref: refOf(snapshot, '"Hold"') });
    assert.ok(
      held.kind === "failed" && held.code === "timeout" && /did not answer within 2 s/.test(held.message),
      JSON.stringify(held),
    );
  });

  test("without a vision model the question fails with a reason, and the screenshot exists", async () => {
    await using site = await startSite(SHOP);
    await using home = await openHome("model:\n  provider: offline\n");
    await home.call("browser_navigate", { url: `${site.url}/` });
    const result = await home.call("browser_vision", { question: "What is it?" });
    assert.equal(result["success"], false);
    assert.match(String(result["error"]), /^The picture could not be analysed: No connected model can read pictures\./);
    assert.ok(existsSync(String(result["screenshot_path"])));
  });
});

// req: tool-browser.availability
test("without a Chromium on PATH offers no browser tool, and reports the reason", async () => {
  await using home = await openHome("", { path: "/nowhere" });
  const tools = (await home.app.tools.list({ surface: "cli", prompter: true })).filter(({ declaration }) =>
    declaration.name.startsWith("browser_"),
  );
  assert.equal(tools.length > 0, true);
  for (const { availability } of tools)
    assert.match(
      availability.ok ? "offered" : availability.reason,
      /There is no chromium or .* on PATH, browser\.cdp_url is not set, and no plugin provides browser|^browser\.cdp_url is not set/,
    );
});
