import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { sendJson, startWebService } from "../../servers/web-service.ts";
import { NO_TMUX, UserTerminal, READY } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const skill = (name: string, body = `Do ${name}.\n`): string =>
  `---\nname: ${name}\ndescription: The ${name}.\n---\n\n${body}`;
const HUB = "skills:\n  sources: [github]\n";

/** A user with a skill repository as a tap, and one to publish to. */
function withRepositories(user: NewUser): { readonly tap: string; readonly shared: string } {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "init.defaultBranch=main", ...args], {
      cwd: user.folder,
      env: { PATH: process.env["PATH"], HOME: user.home },
      stdio: "pipe",
    });
  user.write("~/.gitconfig", "[user]\n\tname = Ana\n\temail = ana@example.org\n");
  const [tap, shared] = [join(user.folder, "tap"), join(user.folder, "shared")];
  for (const [folder, file] of [
    [tap, "skills/tea/SKILL.md"],
    [shared, "README.md"],
  ] as const) {
    user.write(`${folder.slice(user.folder.length + 1)}/${file}`, skill("tea"));
    git("init", "-q", folder);
    git("-C", folder, "add", "-A");
    git("-C", folder, "commit", "-q", "-m", "first");
  }
  return { tap, shared };
}

/** Every subcommand of the founding document, in an order in which each has something to do. */
const lines = (tap: string, shared: string, snapshot: string): readonly string[] => [
  `tap add ${tap}`,
  "tap list",
  `search tea --source ${tap}`,
  `inspect ${tap}/tea`,
  `install ${tap}/tea -y`,
  "list",
  "inspect tea",
  "audit tea",
  `snapshot export ${snapshot}`,
  `snapshot import ${snapshot}`,
  "uninstall tea",
  `publish own --repo ${shared} --branch next -y`,
  `tap remove ${tap}`,
];

// A commit's name holds the second in which it was made.
const plain = (text: string): string => text.trimEnd().replaceAll(/\b[0-9a-f]{12}\b/g, "COMMIT");

// req: skills-hub.slash
test("every subcommand of /skills does and prints the same as on the command line", async () => {
  const message: string[][] = [];
  for (const typed of [
    (line: string) => ["skills", ...line.split(" ")],
    (line: string) => ["chat", "-Q", "-q", `/skills ${line}`],
  ]) {
    using user = new NewUser();
    user.write("~/.hermes/config.yaml", HUB);
    user.write("~/.hermes/skills/own/SKILL.md", skill("own"));
    const { tap, shared } = withRepositories(user);
    const texts: string[] = [];
    for (const line of lines(tap, shared, join(user.folder, "all.json"))) {
      const { status, out, err } = await user.run(typed(line));
      assert.equal(status, 0, `${line}: ${out}${err}`);
      texts.push(`${line}\n${plain(out)}`.replaceAll(user.folder, "FOLDER").replaceAll(user.home, "HOME"));
    }
    assert.equal(
      execFileSync("git", ["--git-dir", join(shared, ".git"), "show", "next:skills/own/SKILL.md"], {
        encoding: "utf8",
      }),
      skill("own"),
    );
    message.push(texts);
  }
  assert.deepEqual(message[1], message[0]);
  const named = new Set(message[0]!.map((text) => text.split(/\s/)[0]!));
  assert.deepEqual([...named].sort(), [
    "audit",
    "inspect",
    "install",
    "list",
    "publish",
    "search",
    "snapshot",
    "tap",
    "uninstall",
  ]);
  assert.ok(
    message[0]!.every((text) => text.includes("\n") && !text.endsWith("\n")),
    message[0]!.join("\n"),
  );
});

// req: skills-hub.slash
test("/skills in the interactive session prints the same as the command line", { skip: NO_TMUX }, async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", HUB);
  user.write("~/.hermes/skills/own/SKILL.md", skill("own"));
  const { tap, shared } = withRepositories(user);
  const snapshot = join(user.folder, "all.json");
  await using terminal = await UserTerminal.open(user, [], { columns: 220, rows: 60 });
  await terminal.until(READY);
  for (const [line, shown] of [
    [`tap add ${tap}`, /Added the tap \S+ with 1 skill\./],
    [`search tea --source ${tap}`, /tap\/tea {2}The tea\./],
    [`inspect ${tap}/tea`, /Nothing was installed\./],
    [`install ${tap}/tea`, /Installed as tea\. New sessions can use it\./],
    ["list", /tea +hub +community +on/],
    ["audit tea", /✓ tea\n +1 scanned, no problems found\./],
    [`snapshot export ${snapshot}`, /Saved 5 skills in /],
    ["uninstall tea", /Uninstalled tea\./],
    [`publish own --repo ${shared} --branch next`, /Published as [0-9a-f]{12} to /],
    [`tap remove ${tap}`, /Removed the tap /],
  ] as const) {
    await terminal.say(`/skills ${line}`);
    await terminal.until(shown);
  }
  assert.deepEqual([existsSync(snapshot), existsSync(join(user.agentHome, "skills/tea"))], [true, false]);
});

// req: skills-hub.github-auth, skills-hub.sources
test("hermes skills reads a self-hosted GitHub and ClawHub server, and sends the .env token only to GitHub", async () => {
  const token = "token-of-my-own-server-0123456789";
  const text = skill("brew");
  const blob = createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex");
  await using github = await startWebService(({ url }, reply) => {
    if (url.endsWith("/commits/HEAD")) reply.end("a".repeat(40));
    else if (url.includes("/git/trees/"))
      sendJson(reply, {
        truncated: false,
        tree: [{ path: "skills/brew/SKILL.md", mode: "100644", type: "blob", sha: blob, size: text.length }],
      });
    else if (url.endsWith(`/git/blobs/${blob}`)) reply.end(text);
    else sendJson(reply, { message: "none" }, 404);
  });
  await using clawhub = await startWebService((_, reply) =>
    sendJson(reply, { results: [{ slug: "brew-more", summary: "More to brew." }] }),
  );
  using user = new NewUser();
  user.write("~/.hermes/.env", `MY_SERVER_TOKEN=${token}\n`);
  user.write(
    "~/.hermes/config.yaml",
    `skills:\n  sources: [github, clawhub]\n  registries:\n    github:\n      url: ${github.url}/api/v3\n      token: \${MY_SERVER_TOKEN}\n    clawhub:\n      url: ${clawhub.url}\n`,
  );
  const search = await user.run(["skills", "search", "brew"]);
  assert.equal(
    search.out,
    "openai/skills/brew  The brew.\nanthropics/skills/brew  The brew.\nclawhub/brew-more  More to brew.\n",
    search.err,
  );
  const done = await user.run(["skills", "install", "my/own/brew", "--yes"]);
  assert.equal(done.status, 0, done.err);
  assert.match(done.out, /\(community\), scan: safe\nInstalled as brew\./);
  assert.equal(readFileSync(join(user.agentHome, "skills/brew/SKILL.md"), "utf8"), text);
  assert.deepEqual([...new Set(github.sent.map(({ headers }) => headers.authorization))], [`Bearer ${token}`]);
  assert.deepEqual(
    clawhub.sent.map(({ headers }) => headers.authorization),
    [undefined],
  );
  const { installed } = JSON.parse(readFileSync(join(user.agentHome, "skills/.hub/lock.json"), "utf8")) as {
    readonly installed: { readonly brew: { readonly trust_level: string } };
  };
  assert.deepEqual(
    [
      installed.brew.trust_level,
      JSON.stringify(installed).includes(token),
      `${search.out}${search.err}${done.out}${done.err}`.includes(token),
    ],
    ["community", false, false],
  );
});

// req: skills-hub.llm-audit
test("with skills.llm_audit, the user's model reviews a skill before it is installed", async () => {
  const answers = [
    '{"verdict": "dangerous", "reasons": ["SKILL.md: it has the owner paste a key"]}',
    '{"verdict": "safe", "reasons": []}',
  ];
  await using server = await startOpenAiServer(() => ({ text: answers.shift() ?? "" }));
  using user = new NewUser();
  user.connect("custom", server.url, "auxiliary:\n  skills_hub:\n    model: auditor\nskills:\n  llm_audit: true\n");
  user.write("from/tea/SKILL.md", skill("tea"));
  const install = () => user.run(["skills", "install", join(user.folder, "from/tea"), "--yes"]);
  const refused = await install();
  assert.deepEqual([refused.status, existsSync(join(user.agentHome, "skills/tea"))], [1, false], refused.out);
  assert.match(
    refused.err,
    /"tea" is not installed: community source, dangerous, 1 finding\.\n {2}the model objects: SKILL\.md: it has the owner paste a key/,
  );
  const done = await install();
  assert.match(done.out, /Installed as tea\./, done.err);
  const { model, messages, tools } = JSON.parse(server.requests[0]!.body) as {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly tools?: unknown;
  };
  assert.deepEqual(
    [model, tools, messages.map(({ role }) => role), messages[1]!.content.includes("Do tea.")],
    ["auditor", undefined, ["system", "user"], true],
  );
  const silent = await install();
  assert.match(silent.err, /already installed/);
});
