import assert from "node:assert/strict";
import { test } from "node:test";
import { DashboardScene } from "../support/dashboard-scene.ts";

interface Part {
  readonly key: string;
  readonly page?: string;
  readonly theme?: { readonly label: string; readonly css: string };
  readonly problems: readonly string[];
}

const EXAMPLES = ["example-dashboard", "strike-freedom-cockpit"];

// req: dashboard.plugin-examples
test("the two bundled examples are disabled by default; each page or theme exists only while enabled", async () => {
  await using scene = await DashboardScene.open();
  const listed = (await scene.app.plugins.list()).filter(({ key }) => EXAMPLES.includes(key));
  assert.deepEqual(
    listed.map(({ key, source, state }) => [key, source, state]),
    EXAMPLES.map((key) => [key, "bundled", "not enabled"]),
  );
  assert.deepEqual(await scene.get("/api/parts"), []);
  for (const key of EXAMPLES) assert.equal((await scene.ask("POST", `/api/plugins/${key}/enable`, {})).status, 200);
  const parts = await scene.get<readonly Part[]>("/api/parts");
  assert.deepEqual(
    parts.map(({ key, problems }) => [key, problems]),
    EXAMPLES.map((key) => [key, []]),
  );
  assert.equal(parts[1]?.theme?.label, "Strike Freedom");
  const files = [...parts.flatMap(({ page }) => [page!, `${page}index.js`, `${page}style.css`]), parts[1]!.theme!.css];
  for (const file of files) assert.equal((await scene.ask("GET", file, undefined, {})).status, 200, file);
  for (const key of EXAMPLES) assert.equal((await scene.ask("POST", `/api/plugins/${key}/disable`, {})).status, 200);
  assert.deepEqual(await scene.get("/api/parts"), []);
  for (const file of files) assert.equal((await scene.ask("GET", file, undefined, {})).status, 404, file);
});

test("a plugin's page is sandboxed: its frame has no origin and loads only its own files", async () => {
  await using scene = await DashboardScene.open();
  await scene.ask("POST", "/api/plugins/example-dashboard/enable", {});
  const [{ page } = { page: undefined }] = await scene.get<readonly Part[]>("/api/parts");
  const framed = await scene.ask("GET", page!, undefined, {});
  const policy = framed.headers.get("content-security-policy") ?? "";
  assert.match(policy, /^sandbox allow-scripts; default-src 'none'; script-src http/);
  assert.doesNotMatch(policy, /connect-src|allow-same-origin|unsafe/);
  assert.equal(framed.text.includes(scene.token), false);
  // Its own script may read it, though it has no origin; the API answers no such caller, even with the token.
  const script = await scene.ask("GET", `${page}index.js`, undefined, { origin: "null" });
  assert.equal(script.status, 200);
  // A file that is opened as a page runs nothing.
  assert.equal(script.headers.get("content-security-policy"), "sandbox; default-src 'none'");
  assert.equal(
    (await scene.ask("GET", "/api/status", undefined, { origin: "null", "x-hermes-session-token": scene.token }))
      .status,
    403,
  );
  for (const path of ["../plugin.yaml", "..%2fplugin.yaml", "%2e%2e/index.ts", "nosuch.js", ".env"])
    assert.equal((await scene.ask("GET", `${page}${path}`, undefined, {})).status, 404, path);
  assert.equal((await scene.ask("GET", page!.replace(/\/parts\/[^/]+/, "/parts/guessed"), undefined, {})).status, 404);
});

test("a plugin's page runs only the slash commands that its manifest lists, with their usual hooks", async () => {
  await using scene = await DashboardScene.open((user) =>
    user.write("~/.hermes/config.yaml", "plugins:\n  enabled: [example-dashboard, strike-freedom-cockpit]\n"),
  );
  await using session = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
  await session.send("hello");
  const run = (key: string, command: string, args: string) =>
    scene.ask("POST", `/api/parts/${key}/run`, { command, args });
  const { ok, text } = (await run("example-dashboard", "example-dashboard", "json 2")).json<{
    readonly ok: boolean;
    readonly text: string;
  }>();
  assert.equal(ok, true);
  assert.deepEqual(
    (JSON.parse(text) as readonly { readonly sessions: number }[])
      .map(({ sessions }) => sessions)
      .reduce((sum, one) => sum + one, 0),
    1,
  );
  for (const [key, command] of [
    ["example-dashboard", "cockpit"],
    ["example-dashboard", "yolo"],
    ["example-dashboard", "example-dashboard json\n/yolo"],
    ["tool-todo", "yolo"],
  ] as const) {
    const refused = await run(key, command, "");
    assert.equal(refused.status, 400, command);
  }
});

test("serves the dashboard page of a user's plugin, and reports errors in its manifest", async () => {
  await using scene = await DashboardScene.open((user) => {
    user.write("~/.hermes/plugins/mine/plugin.yaml", "name: mine\nversion: 1.0.0\ndescription: Mine.\n");
    user.write(
      "~/.hermes/plugins/mine/index.js",
      'export default (ctx) => void ctx.command({ name: "mine", description: "mine", run: (args) => `heard ${args}` });\n',
    );
    user.write(
      "~/.hermes/plugins/mine/dashboard/manifest.json",
      JSON.stringify({ label: "Mine", entry: "page.js", api: ["mine", "nosuch"] }),
    );
    user.write("~/.hermes/plugins/mine/dashboard/page.js", "export default (place) => place.append('mine');\n");
  });
  assert.deepEqual(await scene.get("/api/parts"), []);
  const enabled = await scene.ask("POST", "/api/plugins/mine/enable", {});
  assert.equal(enabled.status, 200, enabled.text);
  const [part] = await scene.get<readonly Part[]>("/api/parts");
  assert.deepEqual(
    [part?.key, part?.problems],
    ["mine", ['"api" names "nosuch", which is not a slash command of the plugin.']],
  );
  assert.match((await scene.ask("GET", `${part?.page}page.js`, undefined, {})).text, /^export default/);
  assert.deepEqual((await scene.ask("POST", "/api/parts/mine/run", { command: "mine", args: "you" })).json(), {
    ok: true,
    text: "heard you",
  });
});
