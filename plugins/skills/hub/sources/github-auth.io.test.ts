import assert from "node:assert/strict";
import { generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { UserError } from "hermes-agent/plugin";
import { runSkills } from "../../command/run-skills.ts";
import { APP_TOKEN, openRegistries, TOKEN } from "../../testing/registry-doubles.ts";
import { skill, SkillWorld } from "../../testing/skill-world.ts";
import { sourceFor } from "./all-sources.ts";
import type { SourcePorts } from "./skill-source.ts";

const REPOS = {
  "my/own": { "skills/tea/SKILL.md": skill("tea"), "skills/more/SKILL.md": skill("more") },
  "my/market": { ".claude-plugin/marketplace.json": '{"plugins":[]}' },
};

async function place(stack: AsyncDisposableStack, variables: { readonly [name: string]: string }) {
  const registries = stack.use(await openRegistries({ repos: REPOS }));
  const world = stack.use(new SkillWorld());
  world.fetch = registries.fetch;
  Object.assign(world.variables, variables);
  const ports = (): SourcePorts => ({
    shelf: world.shelf,
    ...world.service(() => undefined).web,
    signal: new AbortController().signal,
  });
  const fetch = (identifier = "my/own/tea") =>
    sourceFor(identifier, ports()).fetch(identifier, mkdtempSync(join(world.home, "into-")));
  return { registries, world, ports, fetch };
}

const failure = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => assert.fail(JSON.stringify(value)),
    ({ message, hint = "" }: UserError) => `${message}\n${hint}`,
  );

// req: skills-hub.github-auth
test("reads GitHub with a personal access token, from the first of two variables that is set", async () => {
  await using stack = new AsyncDisposableStack();
  const first = await place(stack, { GITHUB_TOKEN: TOKEN, GH_TOKEN: "another-token-0123456789" });
  await first.fetch();
  assert.deepEqual([...new Set(first.registries.askedBy())], [`api.github.com Bearer ${TOKEN}`]);
  const second = await place(stack, { GH_TOKEN: TOKEN });
  await second.fetch();
  assert.deepEqual([...new Set(second.registries.askedBy())], [`api.github.com Bearer ${TOKEN}`]);
});

// req: skills-hub.github-auth
test("reads GitHub anonymously without a token, and lists a marketplace through the API", async () => {
  await using stack = new AsyncDisposableStack();
  const { registries, world, ports } = await place(stack, {});
  world.section["marketplaces"] = ["my/market"];
  assert.deepEqual(await sourceFor("claude-marketplace/", ports()).search(["x"], 5), [
    { place: "my/market", hits: [] },
  ]);
  assert.deepEqual(registries.askedBy(), ["api.github.com nobody"]);
});

// req: skills-hub.github-auth
test("a GitHub App signs with its key, gets one token and reads with it", async () => {
  await using stack = new AsyncDisposableStack();
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { registries, world, fetch } = await place(stack, { GITHUB_APP_ID: "1234", GITHUB_APP_INSTALLATION_ID: "77" });
  assert.match(
    await failure(fetch()),
    /^The GitHub App is not fully configured: GITHUB_APP_PRIVATE_KEY_PATH is not set\./,
  );
  world.variables["GITHUB_APP_PRIVATE_KEY_PATH"] = join(world.home, "app.pem");
  world.write({ "app.pem": "-----BEGIN NOTHING-----\nK3Y\n" });
  assert.equal(
    await failure(fetch()),
    "GITHUB_APP_PRIVATE_KEY_PATH does not name a valid private key.\nUse the .pem file that GitHub created for the App.",
  );
  world.write({ "app.pem": privateKey.export({ type: "pkcs8", format: "pem" }) });
  await fetch();
  const [note, ...asked] = registries.askedBy();
  assert.deepEqual([...new Set(asked)], [`api.github.com Bearer ${APP_TOKEN}`]);
  const [head = "", body = "", signature = ""] = note!.slice("api.github.com Bearer ".length).split(".");
  assert.ok(verify("sha256", Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, "base64url")));
  const { iss, iat, exp } = JSON.parse(Buffer.from(body, "base64url").toString()) as {
    readonly iss: string;
    readonly iat: number;
    readonly exp: number;
  };
  assert.deepEqual([iss, exp - iat, Math.abs(Date.now() / 1000 - 60 - iat) < 30], ["1234", 600, true]);
  registries.state.fault = "refuses";
  assert.match(await failure(fetch()), /^GitHub does not accept this App: /);
});

// req: skills-hub.github-auth
test("never sends the token along a redirect or to another registry, and never prints, records or lists it", async () => {
  await using stack = new AsyncDisposableStack();
  const { registries, world, fetch } = await place(stack, { GITHUB_TOKEN: TOKEN });
  registries.state.fault = "elsewhere";
  const output = [await failure(fetch())];
  assert.deepEqual(registries.askedBy(), [`api.github.com Bearer ${TOKEN}`]);
  registries.state.fault = "refuses";
  output.push(await failure(fetch()));
  assert.match(output[1]!, /^GitHub does not accept GITHUB_TOKEN, or it has no access to this\./);
  registries.state.fault = "none";
  await runSkills(
    ["tap", "add", "my/own"],
    world.service((text) => void output.push(text)),
  );
  await runSkills(
    ["search", "tea"],
    world.service((text) => void output.push(text)),
  );
  await runSkills(
    ["install", "my/own/tea", "-y"],
    world.service((text) => void output.push(text)),
  );
  const saved = await world.shelf.all();
  assert.deepEqual(
    saved.map(({ path }) => path),
    ["tea"],
  );
  assert.deepEqual(
    registries.askedBy().filter((line) => line.includes(TOKEN) && !line.startsWith("api.github.com ")),
    [],
  );
  assert.ok(registries.askedBy().includes("clawhub.ai nobody"));
  const files = readdirSync(world.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  assert.ok(files.length > 3);
  assert.deepEqual(
    files.filter((file) => readFileSync(file, "utf8").includes(TOKEN)),
    [],
  );
  assert.deepEqual(
    output.filter((text) => text.includes(TOKEN)),
    [],
  );
});

// req: skills-hub.github-auth
test("reads a self-hosted server with the token configured for its address, never with the GitHub token", async () => {
  await using stack = new AsyncDisposableStack();
  const { registries, world, fetch } = await place(stack, { GITHUB_TOKEN: TOKEN });
  world.section["registries"] = { github: { url: "https://clawhub.ai/api/v3/" } };
  assert.match(await failure(fetch()), /^GitHub \(clawhub\.ai\) has no repository my\/own that everybody may read\./);
  world.section["registries"] = { github: { url: "https://clawhub.ai/api/v3", token: "own-server-token" } };
  await failure(fetch());
  assert.deepEqual(registries.askedBy(), ["clawhub.ai nobody", "clawhub.ai Bearer own-server-token"]);
  await failure(fetch("https://github.com/my/own"));
  assert.equal(registries.requests.length, 2, "git fetches a URL, without the GitHub API");
  world.section["registries"] = { github: { url: "no address" } };
  assert.match(await failure(fetch()), /^skills\.registries\.github\.url is not a valid URL: "no address"\./);
});
