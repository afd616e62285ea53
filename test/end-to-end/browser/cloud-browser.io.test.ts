import assert from "node:assert/strict";
import { once } from "node:events";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { startPool } from "../../../examples/plugins/chromium-pool/pool-server.ts";
import { SERVICE_KEY, SERVICE_PROJECT, startBrowserServices } from "../../servers/browser-services.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { comes, NO_CHROMIUM, openHome, refOf, startSite } from "../support/browsing.ts";
import { NO_TMUX, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";
import { withTimeout } from "../../../src/testing/wait-for.ts";

const VARIABLES: { readonly [service: string]: (url: string) => string } = {
  browserbase: (url) =>
    `BROWSERBASE_API_KEY=${SERVICE_KEY}\nBROWSERBASE_PROJECT_ID=${SERVICE_PROJECT}\nBROWSERBASE_BASE_URL=${url}/\n`,
  "browser-use": (url) => `BROWSER_USE_API_KEY=${SERVICE_KEY}\nBROWSER_USE_BASE_URL=${url}\n`,
  firecrawl: (url) => `FIRECRAWL_API_KEY=${SERVICE_KEY}\nFIRECRAWL_API_URL=${url}\n`,
};
/** The pages of these tests are on loopback, and the service must open them anyway. */
const THERE = "browser:\n  auto_local_for_private_urls: false\n";
const PAGE = `<title>Here</title><input aria-label="Name"><button onclick="document.title = 'Pressed'">Press</button>`;

function bookOf(at: { readonly home: string } | { readonly prompter: { readonly home: string } }): readonly string[] {
  const { home } = "prompter" in at ? at.prompter : at;
  try {
    return Object.keys(
      JSON.parse(readFileSync(join(home, ".hermes/plugin-data/tool-browser.json"), "utf8")) as JsonObject,
    );
  } catch {
    return [];
  }
}

test("doctor, tools show and plugins list name the service that runs browsers, and what a chosen one lacks", async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", "");
  const output = async () =>
    [(await user.run(["doctor"])).out, (await user.run(["tools", "show", "browser_navigate"])).out].join("\n");
  const nothing = await output();
  assert.match(nothing, /backend +local; set browser\.cloud_provider to browser-use, browserbase, firecrawl/);
  assert.doesNotMatch(nothing, /browsers +/);
  user.write("~/.hermes/config.yaml", "browser:\n  cloud_provider: browserbase\n");
  const lacking = await output();
  assert.match(
    lacking,
    /browsers +browser\.cloud_provider names "browserbase": Plugin browserbase disabled \(missing: BROWSERBASE_API_KEY, BROWSERBASE_PROJECT_ID\)/,
  );
  assert.match(lacking, /hermes setup browser shows the options/);
  assert.match(lacking, /backend .*\(browser\.cloud_provider\): Plugin browserbase disabled/);
  user.write("~/.hermes/.env", "BROWSER_USE_API_KEY=key-of-the-test-1\n");
  user.write("~/.hermes/config.yaml", "");
  const automatic = await output();
  assert.match(automatic, /browsers +Browser Use \(browser\.cloud_provider would select another\)/);
  assert.match(automatic, /backend +Browser Use \(browser\.cloud_provider\)/);
});

test(
  "setup browser lists the available services, asks for the chosen one's key without echo, and saves it",
  { skip: NO_TMUX, timeout: 180_000 },
  async () => {
    using user = new NewUser();
    await using terminal = await UserTerminal.open(user, ["setup", "browser"]);
    const screen = await terminal.until(/Backend for browsers[^]*type to filter/);
    for (const name of ["local", "browser-use", "browserbase", "firecrawl"])
      assert.match(screen, new RegExp(`^ +\\d\\. ${name}: `, "m"));
    await terminal.type(/(\d)\. firecrawl/.exec(screen)![1]!);
    await terminal.press("Enter");
    await terminal.until(/FIRECRAWL_API_KEY[^]*Enter skips it\):/);
    await terminal.type("fc-live-0123456789");
    await terminal.press("Enter");
    await terminal.until(/\[ended/);
    assert.doesNotMatch(await terminal.screen({ scrollback: true }), /fc-live/);
    assert.match(readFileSync(join(user.agentHome, "config.yaml"), "utf8"), /cloud_provider: firecrawl/);
    assert.match((await user.run(["doctor"])).out, /browsers +Firecrawl \(browser\.cloud_provider\)/);
  },
);

describe("a browser of a service", { skip: NO_CHROMIUM }, () => {
  for (const [name, variables] of Object.entries(VARIABLES)) {
    test(`browser/${name}: works in its own session, which is recorded before use and ended with the conversation`, async () => {
      await using site = await startSite({ "/": PAGE });
      await using service = await startBrowserServices();
      await using home = await openHome(`${THERE}  cloud_provider: ${name}\n`, { env: variables(service.url) });
      const atConnection: (readonly string[])[] = [];
      service.watch.connecting = () => void atConnection.push(bookOf(home));
      const opened = await home.call("browser_navigate", { url: site.url });
      assert.deepEqual(
        [opened["success"], opened["title"], opened["cloud_provider"], service.open],
        [true, "Here", name, ["session-1"]],
        JSON.stringify(opened),
      );
      assert.deepEqual(atConnection, [[`session ${name} session-1`]]);
      const pressed = await home.call("browser_click", { ref: refOf(opened["snapshot"], '"Press"') });
      assert.equal(pressed["success"], true);
      const title = await home.call("browser_console", { expression: "document.title" });
      assert.equal(title["result"], "Pressed");
      assert.doesNotMatch(JSON.stringify([opened, pressed, title]), /key-of-a-browser|token-of|127\.0\.0\.1:\d+\/cdp/);
      assert.equal(JSON.stringify(service.asked.map(({ url, body }) => [url, body])).includes(SERVICE_KEY), false);
      const another = await home.open();
      await another.call("browser_navigate", { url: site.url });
      assert.deepEqual(service.open, ["session-1", "session-2"]);
      await home.session[Symbol.asyncDispose]();
      await comes(
        "the session of that conversation is ended, and the other is not",
        () => service.open.join() === "session-2" && bookOf(home).join() === `session ${name} session-2`,
      );
      await another.session[Symbol.asyncDispose]();
      await comes(
        "nothing is open and nothing written down",
        () => service.open.length === 0 && bookOf(home).length === 0,
      );
    });
  }

  for (const [language, folder] of [
    ["TypeScript", "chromium-pool"],
    ["Python", "chromium-pool-python"],
  ] as const) {
    test(
      `browser.cloud_provider can name a provider from a user's plugin in ${language}`,
      { timeout: 120_000 },
      async () => {
        const token = "token-of-the-pool-0123";
        await using site = await startSite({ "/": PAGE });
        await using pool = await startPool(token);
        await using home = await openHome("", { env: `CHROMIUM_POOL_URL=${pool.url}\nCHROMIUM_POOL_TOKEN=${token}\n` });
        cpSync(
          join(import.meta.dirname, "../../../examples/plugins", folder),
          join(home.prompter.agentHome, "plugins/chromium-pool"),
          { recursive: true },
        );
        home.prompter.write(
          "~/.hermes/config.yaml",
          `security:\n  allow_private_urls: true\nplugins:\n  enabled: [chromium-pool]\n${THERE}  cloud_provider: chromium-pool\n`,
        );
        await home.app.plugins.reload();
        const opened = await home.call("browser_navigate", { url: site.url });
        assert.deepEqual(
          [opened["title"], opened["cloud_provider"], pool.open().length, bookOf(home).length],
          ["Here", "chromium-pool", 1, 1],
          JSON.stringify(opened),
        );
        assert.equal((await home.call("browser_console", { expression: "document.title" }))["result"], "Here");
        await home.session[Symbol.asyncDispose]();
        await comes("its session is ended", () => pool.open().length === 0 && bookOf(home).length === 0);
      },
    );
  }

  test("retries without paid features, reports each other refusal, and falls back to a browser here", async () => {
    await using site = await startSite({ "/": PAGE });
    await using service = await startBrowserServices();
    await using home = await openHome(`${THERE}  cloud_provider: browserbase\n`, {
      env: VARIABLES["browserbase"]!(service.url),
    });
    service.does.answers.push({ status: 402 }, { status: 402 });
    const cheap = await home.call("browser_navigate", { url: site.url });
    assert.deepEqual(
      [cheap["title"], cheap["stealth_features"], cheap["fallback_from_cloud"]],
      ["Here", ["basic_stealth"], undefined],
    );
    assert.match(String(cheap["stealth_warning"]), /data centre/);
    const project = { projectId: SERVICE_PROJECT };
    assert.deepEqual(
      service.asked.map(({ body }) => body),
      [{ ...project, keepAlive: true, proxies: true }, { ...project, proxies: true }, project],
    );

    for (const [status, body, words] of [
      [402, { error: "Payment required." }, /^Browserbase requires payment \(402\): Payment required\.$/],
      [
        429,
        { message: "One session at a time." },
        /^Browserbase opens no more sessions now \(429\): .*: One session at a time\.$/,
      ],
      [401, {}, /^Browserbase refused the key \(401\): check BROWSERBASE_API_KEY\.$/],
      [500, {}, /^Browserbase opened no session: status 500\.$/],
      [200, { id: "" }, /^Browserbase sent an answer that describes no session\.$/],
    ] as const) {
      service.does.answers.splice(0);
      for (let n = status === 402 ? 3 : 1; n > 0; n -= 1) service.does.answers.push({ status, body });
      const other = await home.open();
      const result = await other.call("browser_navigate", { url: site.url });
      assert.deepEqual(
        [result["title"], result["fallback_from_cloud"], result["fallback_provider"]],
        ["Here", true, "Browserbase"],
      );
      assert.match(String(result["fallback_reason"]), words);
      assert.equal((await other.call("browser_navigate", { url: site.url }))["fallback_from_cloud"], undefined);
    }
    assert.deepEqual(service.open, ["session-1"]);
  });

  test("without a Chromium here, a refusal is an error with a hint, and a missing key is named", async () => {
    await using service = await startBrowserServices();
    await using home = await openHome(`${THERE}  cloud_provider: firecrawl\n`, {
      env: VARIABLES["firecrawl"]!(service.url),
      path: "/nowhere",
    });
    const path = process.env["PATH"];
    process.env["PATH"] = "/nowhere";
    try {
      service.does.answers.push({ status: 429, body: { error: "Too many." } });
      const result = await home.call("browser_navigate", { url: "https://93.184.216.34/" });
      assert.match(
        String(result["error"]),
        /^Firecrawl opens no more sessions now \(429\).* There is no browser on this machine either: Chromium or Chrome is not on PATH/,
      );
      assert.match(String(result["hint"]), /FIRECRAWL_BROWSER_TTL/);
      const listed = async (one: typeof home) =>
        (await one.app.tools.list({ surface: "cli", prompter: true })).find(
          ({ declaration }) => declaration.name === "browser_navigate",
        )!.availability;
      assert.deepEqual(await listed(home), { ok: true });
      await using without = await openHome(`${THERE}  cloud_provider: firecrawl\n`, { path: "/nowhere" });
      const missing = await listed(without);
      assert.match(
        missing.ok ? "" : missing.reason,
        /There is no chromium or .* on PATH, browser\.cdp_url is not set, and no plugin provides browser\.$/,
      );
    } finally {
      process.env["PATH"] = path;
    }
    await using named = await openHome(`${THERE}  cloud_provider: firecrawl\n`);
    await using site = await startSite({ "/": PAGE });
    const result = await named.call("browser_navigate", { url: site.url });
    assert.deepEqual([result["title"], result["fallback_provider"]], ["Here", "firecrawl"]);
    assert.match(String(result["fallback_reason"]), /Plugin firecrawl disabled \(missing: FIRECRAWL_API_KEY\)/);
  });

  test("after a broken connection or an expired session one call fails, and the next address opens another", async () => {
    await using site = await startSite({ "/": PAGE });
    await using service = await startBrowserServices();
    await using home = await openHome(THERE, { env: VARIABLES["browser-use"]!(service.url) });
    await home.call("browser_navigate", { url: site.url });
    service.cut("session-1");
    const lost = await home.call("browser_snapshot");
    assert.match(
      String(lost["error"]),
      /The connection to Browser Use's browser is lost: 127\.0\.0\.1:\d+ closed the connection\. The session may have expired\./,
    );
    assert.equal(lost["hint"], "Open a new page with browser_navigate.");
    await comes("the session is ended", () => service.open.length === 0 && bookOf(home).length === 0);
    assert.equal((await home.call("browser_navigate", { url: site.url }))["title"], "Here");
    assert.deepEqual(service.open, ["session-2"]);
    await service.expire("session-2");
    assert.match(String((await home.call("browser_click", { ref: "@e1" }))["error"]), /The session may have expired/);
    // An expired session: the plugin asked the service about it, and then removed its record.
    await comes("its record is removed", () => bookOf(home).length === 0);
    // A session that starts but accepts no connection is ended again.
    service.does.connectStatus = 410;
    const result = await home.call("browser_navigate", { url: site.url });
    assert.match(
      String(result["fallback_reason"]),
      /^Browser Use's browser is unreachable: 127\.0\.0\.1:\d+ answered 410 instead of opening a WebSocket\.$/,
    );
    assert.deepEqual([service.open, bookOf(home)], [[], []]);
  });

  test("a session that could not be ended stays recorded for a later run; one in use is left alone", async () => {
    await using site = await startSite({ "/": PAGE });
    await using service = await startBrowserServices();
    await using home = await openHome(THERE, { env: VARIABLES["browser-use"]!(service.url) });
    await home.call("browser_navigate", { url: site.url });
    const second = await home.open();
    await second.call("browser_navigate", { url: site.url });
    service.does.endStatus = 503;
    await home.session[Symbol.asyncDispose]();
    await comes("it was tried", () =>
      service.asked.some(({ method, url }) => method === "PATCH" && url === "/browsers/session-1"),
    );
    assert.deepEqual([service.open, bookOf(home).length], [["session-1", "session-2"], 2]);
    const command = async (args: string) =>
      home.app.commands
        .get("browser")!
        .run(args, { sessionId: second.session.id, surface: "cli", signal: new AbortController().signal });
    assert.match(
      String(await command("status")),
      /^Browser Use runs the agent's browsers \(browser\.cloud_provider\)\. 1 task has a page open\. Still open from an earlier run: browser-use session-1\.$/,
    );
    delete service.does.endStatus;
    const third = await home.open();
    await third.call("browser_navigate", { url: site.url });
    await comes(
      "the leftover session ends, and sessions in use continue",
      () => service.open.join() === "session-2,session-3" && bookOf(home).length === 2,
    );
  });

  test(
    "the next run ends the sessions of a killed run, even in the same conversation, but none in use",
    { timeout: 120_000 },
    async () => {
      await using site = await startSite({ "/": PAGE });
      await using service = await startBrowserServices();
      await using model = await startOpenAiServer((request, number) =>
        request.body.includes("Open it") && number === 1
          ? { calls: [{ tool: "browser_navigate", args: { url: `${site.url}/` } }] }
          : number === 2
            ? { text: "Wait.", firstAfterMs: 90_000 }
            : { text: "Hello." },
      );
      using user = new NewUser();
      user.connect("custom", model.url, `security:\n  allow_private_urls: true\n${THERE}`);
      user.write(
        "~/.hermes/.env",
        `${readFileSync(join(user.home, ".hermes/.env"), "utf8")}\n${VARIABLES["browser-use"]!(service.url)}`,
      );
      const child = user.start(["chat", "-q", "Open it"]);
      await comes("the page is open and the model asked again", () => model.requests.length === 2);
      const answer = async () => (await user.run(["chat", "-q", "Say hello"])).out;
      assert.match(await answer(), /Hello/);
      assert.deepEqual([service.open, bookOf(user).length], [["session-1"], 1]);
      child.kill("SIGKILL");
      await withTimeout(once(child, "exit"), { what: "the process exits" });
      assert.deepEqual(service.open, ["session-1"]);
      assert.match((await user.run(["chat", "--continue", "-q", "Say hello"])).out, /Hello/);
      await comes("it is ended", () => service.open.length === 0 && bookOf(user).length === 0);
    },
  );

  test("a call that is stopped while the service responds slowly leaves no session behind", async () => {
    await using site = await startSite({ "/": PAGE });
    await using service = await startBrowserServices();
    await using home = await openHome(THERE, { env: VARIABLES["browser-use"]!(service.url) });
    service.does.beginAfterMs = 3_000;
    const calling = home.call("browser_navigate", { url: site.url });
    await comes("the session was begun", () => service.open.length === 1);
    await home.session[Symbol.asyncDispose]();
    assert.notEqual((await calling)["success"], true);
    await comes("it is ended", () => service.open.length === 0 && bookOf(home).length === 0);
  });

  test("opens addresses of this machine in a local browser, and keeps the service for the others", async () => {
    await using site = await startSite({ "/": PAGE });
    await using service = await startBrowserServices([
      `--host-resolver-rules=MAP 93.184.216.34 ${new URL(site.url).host}`,
    ]);
    await using home = await openHome("browser:\n  cloud_provider: browser-use\n", {
      env: VARIABLES["browser-use"]!(service.url),
    });
    const near = await home.call("browser_navigate", { url: site.url });
    assert.deepEqual([near["title"], near["cloud_provider"], service.open], ["Here", undefined, []]);
    const far = await home.call("browser_navigate", { url: "http://93.184.216.34/" });
    assert.deepEqual(
      [far["title"], far["cloud_provider"], service.open],
      ["Here", "browser-use", ["session-1"]],
      JSON.stringify(far),
    );
    await home.call("browser_click", { ref: refOf(far["snapshot"], '"Press"') });
    assert.equal(
      (await home.call("browser_console", { expression: "location.host + document.title" }))["result"],
      "93.184.216.34Pressed",
    );
    await home.call("browser_navigate", { url: site.url });
    assert.equal(
      (await home.call("browser_console", { expression: "location.host + document.title" }))["result"],
      `${new URL(site.url).host}Here`,
    );
    assert.deepEqual(service.open, ["session-1"]);
    // A cloud's metadata address is refused there too.
    assert.match(
      String((await home.call("browser_navigate", { url: "http://169.254.169.254/" }))["error"]),
      /metadata/,
    );
  });

  test("a service's browser cannot dial forbidden hosts, gets no stored secret, and its pages are guarded", async () => {
    await using elsewhere = await startSite({}, "127.0.0.2");
    await using site = await startSite({
      "/": `${PAGE}<button onclick="window.open('${elsewhere.url}/tab')">Astray</button>`,
    });
    await using service = await startBrowserServices(["--disable-popup-blocking"]);
    await using home = await openHome(
      `  website_blocklist: { enabled: true, domains: [127.0.0.2] }\n${THERE}  cloud_provider: browserbase\n`,
      { env: `${VARIABLES["browserbase"]!(service.url)}SOME_API_KEY=a-stored-secret-0123456789\n` },
    );
    const { snapshot } = await home.call("browser_navigate", { url: site.url });
    const typed = await home.call("browser_type", {
      ref: refOf(snapshot, '"Name"'),
      text: "a-stored-secret-0123456789",
    });
    assert.match(String(typed["error"]), /contains a stored secret/);
    assert.equal(
      (await home.call("browser_console", { expression: "document.querySelector('input').value" }))["result"],
      "",
    );
    await home.call("browser_click", { ref: refOf(snapshot, '"Astray"') });
    await comes("the tab that was opened says that it was refused", async () =>
      /blocked/i.test(
        String((await home.call("browser_console", { expression: "document.body.innerText" }))["result"]),
      ),
    );
    assert.deepEqual(elsewhere.asked, []);

    // A session's address may contain this service's key, but not another service's.
    for (const [key, words] of [
      [SERVICE_KEY, undefined],
      [
        "a-stored-secret-0123456789",
        /^Browserbase's browser is unreachable: 127\.0\.0\.1:\d+ was not connected to: It contains a stored secret or something shaped like a key\.$/,
      ],
    ] as const) {
      service.does.also = `&apiKey=${key}`;
      const another = await home.open();
      const result = await another.call("browser_navigate", { url: site.url });
      assert.deepEqual(
        [result["title"], result["fallback_from_cloud"]],
        ["Here", words && true],
        JSON.stringify(result),
      );
      if (words !== undefined) assert.match(String(result["fallback_reason"]), words);
    }
    delete service.does.also;

    // If this machine's networks are forbidden, so is a browser on them.
    await using strict = await openHome(`${THERE}  cloud_provider: browserbase\n`, {
      env: VARIABLES["browserbase"]!(service.url),
    });
    strict.prompter.write(
      "~/.hermes/config.yaml",
      `${THERE}  cloud_provider: browserbase\n  allow_private_urls: true\n`,
    );
    await strict.app.plugins.reload();
    const refused = await strict.call("browser_navigate", { url: site.url });
    assert.equal(refused["title"], "Here");
    assert.match(String(refused["fallback_reason"]), /only public addresses/);
  });
});
