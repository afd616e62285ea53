import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { UserError, type JsonObject } from "hermes-agent/plugin";
import { openRegistries, SERVICE_WORDS, TOKEN, type Fault, type Files } from "../../testing/registry-doubles.ts";
import { skill, SkillWorld } from "../../testing/skill-world.ts";
import { offeredIn } from "../offered.ts";
import { allSources, sourceFor } from "./all-sources.ts";
import type { SourceId, SourcePorts } from "./skill-source.ts";

const TEA: Files = { "SKILL.md": skill("brew-tea", "Brews tea for guests."), "references/pots.md": "Any pot.\n" };
const under = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
const AGENT: JsonObject = {
  identifier: "brew-tea",
  meta: { title: "Tea: a master", description: 'Brews "tea" for guests.', tags: ["kitchen", "a, b"] },
  config: { systemRole: "You brew tea.\n---\nname: other" },
};

/** One source over its double. */
interface Case {
  readonly id: SourceId;
  /** The registry or repository that search results name. */
  readonly place: string;
  readonly identifier: string;
  readonly unknown: string;
  readonly files: Files;
  /** Checks that a source does not support: it verifies no bytes, or sends no other files. */
  readonly not: readonly Fault[];
}

const CASES: readonly Case[] = [
  {
    id: "github",
    place: "openai/skills",
    identifier: "openai/skills/brew-tea",
    unknown: "nobody/nothing/brew-tea",
    files: TEA,
    not: [],
  },
  {
    id: "claude-marketplace",
    place: "my/market",
    identifier: "claude-marketplace/my/market/kitchen/brew-tea",
    unknown: "claude-marketplace/my/market/garden",
    files: TEA,
    not: [],
  },
  {
    id: "clawhub",
    place: "clawhub",
    identifier: "clawhub/brew-tea",
    unknown: "clawhub/brew-coffee",
    files: TEA,
    not: ["link"],
  },
  {
    id: "lobehub",
    place: "lobehub",
    identifier: "lobehub/brew-tea",
    unknown: "lobehub/brew-coffee",
    files: {
      "SKILL.md":
        '---\nname: brew-tea\ndescription: "Brews \\"tea\\" for guests."\nmetadata:\n  hermes:\n    tags: ["kitchen", "a, b"]\n---\n\n# Tea: a master\n\nYou brew tea.\n---\nname: other\n',
    },
    not: ["other bytes", "odd path", "link"],
  },
];

const open = () =>
  openRegistries({
    repos: {
      "openai/skills": {
        ...under("skills/.curated/brew-tea", TEA),
        "skills/.curated/other/SKILL.md": skill("other"),
        "README.md": "x",
      },
      "my/market": {
        ...under("kitchen/brew-tea", TEA),
        "kitchen/more/SKILL.md": skill("more"),
        ".claude-plugin/marketplace.json": JSON.stringify({
          name: "m",
          plugins: [
            {
              name: "kitchen",
              source: "./kitchen",
              description: "Brews tea for guests.",
              skills: ["./brew-tea", "./more"],
            },
          ],
        }),
      },
    },
    clawhub: {
      "brew-tea": { files: TEA, about: { summary: "Brews tea for guests." } },
      other: { files: TEA, about: { summary: "Other." } },
    },
    agents: [AGENT, { identifier: "../up", meta: { title: "tea", description: "tea" } }],
  });

function portsOf(world: SkillWorld): SourcePorts {
  return { shelf: world.shelf, ...world.service(() => undefined).web, signal: new AbortController().signal };
}

const tree = (folder: string): Files =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]),
  );

async function userError(work: Promise<unknown>): Promise<UserError> {
  const error = await work.then(
    (value) => JSON.stringify(value),
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof UserError, String(error));
  for (const text of [error.message, error.hint ?? ""])
    assert.ok(!text.includes(SERVICE_WORDS) && !text.includes(TOKEN), text);
  return error;
}

for (const { id, place, identifier, unknown, files, not } of CASES) {
  const prepare = async (stack: AsyncDisposableStack) => {
    const registries = stack.use(await open());
    const world = stack.use(new SkillWorld());
    world.fetch = registries.fetch;
    world.variables["GITHUB_TOKEN"] = TOKEN;
    world.section["marketplaces"] = ["my/market"];
    return {
      registries,
      world,
      source: sourceFor(identifier, portsOf(world)),
      into: mkdtempSync(join(world.home, "into-")),
    };
  };

  // req: skills-hub.sources
  test(`${id}: fetches a skill found by search under its registry name, unchanged`, async () => {
    await using stack = new AsyncDisposableStack();
    const { world, source, into } = await prepare(stack);
    assert.equal(source.id, id);
    const found = (await source.search(["brew-tea", "guests"], 10)).find((one) => one.place === place);
    assert.deepEqual(
      found?.hits.map((hit) => hit.identifier),
      [identifier],
    );
    assert.deepEqual(
      (await source.search(["nothing", "like", "it"], 10)).flatMap(({ hits }) => hits),
      [],
    );
    const { root, url } = await source.fetch(identifier, into);
    const [tea] = (await offeredIn(root, world.shelf)).filter(({ name }) => name === "brew-tea");
    assert.deepEqual([tree(tea!.folder), URL.canParse(url)], [files, true]);
  });

  // req: skills-hub.sources
  test(`${id}: names a skill that does not exist, and reports a misbehaving registry without repeating its text`, async () => {
    await using stack = new AsyncDisposableStack();
    const { registries, world, source, into } = await prepare(stack);
    const { message, exitCode } = await userError(source.fetch(unknown, into));
    assert.deepEqual(
      [exitCode, message.includes(unknown.includes("nothing") ? "nobody/nothing" : unknown.split("/").at(-1)!)],
      [2, true],
      message,
    );
    for (const fault of [
      "closes",
      "500",
      "too often",
      "words",
      "other shape",
      "elsewhere",
      "endless",
      "cut off",
      "refuses",
      "other bytes",
      "odd path",
      "link",
    ] as const) {
      if (not.includes(fault)) continue;
      registries.state.fault = fault;
      rmSync(join(world.folder, ".hub/index-cache"), { recursive: true, force: true });
      const inside = mkdtempSync(join(world.home, "into-"));
      const failure = await userError(source.fetch(identifier, inside));
      if (fault === "too often") assert.match(failure.message, /received too many requests\. Try again in 34 s\.$/);
      assert.ok(!existsSync(join(world.home, "up")), fault);
      registries.state.fault = "none";
    }
    assert.deepEqual(
      registries.requests.filter(({ host }) => host === "elsewhere.example.org"),
      [],
    );
  });
}

// req: skills-hub.sources
test("a registry that fails is reported beside the results of the others", async () => {
  await using registries = await open();
  await using world = new SkillWorld();
  world.fetch = registries.fetch;
  world.variables["GITHUB_TOKEN"] = TOKEN;
  world.section["marketplaces"] = ["my/market", "nobody/nothing"];
  const answers = (await Promise.all(allSources(portsOf(world)).map((source) => source.search(["tea"], 10)))).flat();
  assert.deepEqual(
    answers.map(({ place, hits, failed }) => `${place}: ${failed ?? hits.map((hit) => hit.identifier).join(" ")}`),
    [
      "openai/skills: openai/skills/brew-tea",
      "anthropics/skills: GitHub has no repository anthropics/skills that this token may read.",
      "my/market: claude-marketplace/my/market/kitchen/brew-tea claude-marketplace/my/market/kitchen/more",
      "nobody/nothing: nobody/nothing is not a Claude Code marketplace: it has no .claude-plugin/marketplace.json.",
      "clawhub: clawhub/brew-tea",
      "lobehub: lobehub/brew-tea",
    ],
  );
  world.section["sources"] = ["clawhub"];
  assert.deepEqual(
    allSources(portsOf(world)).map(({ id }) => id),
    ["clawhub"],
  );
  assert.throws(
    () => sourceFor("lobehub/x", portsOf(world)),
    /Source lobehub is disabled: skills\.sources does not include it\./,
  );
});

test("installs a marketplace's plugins only from the location that it lists", async () => {
  const plugins = [
    { name: "whole", source: "./" },
    { name: "found", source: "./found" },
    { name: "elsewhere", source: { source: "github", repo: "their/own", sha: "c".repeat(40), path: "deep" } },
    { name: "up", source: "../../up" },
    { name: "package", source: { source: "npm", package: "x" } },
    { name: "branch", source: { source: "url", url: "https://git.example.org/x.git", ref: "next" } },
    { name: "gone", source: "./gone" },
  ];
  await using registries = await openRegistries({
    repos: {
      "my/market": {
        ".claude-plugin/marketplace.json": JSON.stringify({ plugins }),
        "one/SKILL.md": skill("one"),
        "found/skills/two/SKILL.md": skill("two"),
        "found/skills/two/a.md": "a",
      },
      "their/own": { "deep/three/SKILL.md": skill("three"), "deep/three/b.md": "b", "other/SKILL.md": skill("other") },
    },
  });
  await using world = new SkillWorld();
  world.fetch = registries.fetch;
  world.variables["GITHUB_TOKEN"] = TOKEN;
  const fetched = async (name: string) => {
    const { root, path, url } = await sourceFor("claude-marketplace/", portsOf(world)).fetch(
      `claude-marketplace/my/market/${name}`,
      mkdtempSync(join(world.home, "into-")),
    );
    return [url.slice("https://github.com/".length), path, Object.keys(tree(join(root, path!)))];
  };
  assert.deepEqual(await fetched("found"), ["my/market.git", "found/skills/two", ["SKILL.md", "a.md"]]);
  assert.deepEqual(await fetched("whole/one"), ["my/market.git", "one", ["SKILL.md"]]);
  assert.deepEqual(await fetched("elsewhere"), ["their/own.git", "deep/three", ["SKILL.md", "b.md"]]);
  for (const [name, why] of [
    ["whole", /has 2 skills/],
    ["up", /an unsafe name/],
    ["package", /cannot download from \("npm"\)/],
    ["branch", /cannot download from \("url", at "next"\)/],
    ["gone", /no folder "gone"/],
    ["whole/none", /There is no skill "none"/],
    ["a/b/c", /is not a plugin of a marketplace/],
  ] as const)
    assert.match((await userError(fetched(name))).message, why, name);
});

test("objects to a skill if ClawHub flags it, its name has a new owner, or its version is too new", async () => {
  const files = TEA;
  await using registries = await openRegistries({
    clawhub: {
      odd: { files, moderation: { isSuspicious: true, verdict: "suspicious" } },
      bad: { files, moderation: { isMalwareBlocked: true } },
      fresh: { files, createdAt: Date.now() - 7_200_000 },
      fine: { files, owner: "ana" },
    },
  });
  await using world = new SkillWorld();
  world.fetch = registries.fetch;
  const fetched = async (name: string) =>
    (await sourceFor("clawhub/", portsOf(world)).fetch(`clawhub/${name}`, mkdtempSync(join(world.home, "into-"))))
      .objections;
  assert.deepEqual(await fetched("ana/fine"), []);
  assert.deepEqual(await fetched("odd"), ["ClawHub marks it as suspicious"]);
  assert.deepEqual(await fetched("fresh"), ["this version is 2 hours old, but skills.cooling_off_hours is 72"]);
  world.section["cooling_off_hours"] = 1;
  assert.deepEqual(await fetched("fresh"), []);
  assert.match(
    (await userError(fetched("bad"))).message,
    /^"bad" was not downloaded: ClawHub blocked it as malware\.$/,
  );
  assert.match((await userError(fetched("bob/fine"))).message, /^"fine" of ClawHub does not belong to "bob"\.$/);
  assert.match((await userError(fetched("fine@9.9.9"))).message, /has no version 9\.9\.9/);
  for (const odd of ["../x", "a/b/c", "x@../y", ""])
    assert.match((await userError(fetched(odd))).message, /is not a skill of ClawHub/, odd);
});

test("fetches a registry's list once an hour, and again if the cached copy is broken", async () => {
  await using registries = await open();
  await using world = new SkillWorld();
  world.fetch = registries.fetch;
  const search = () => sourceFor("lobehub/", portsOf(world)).search(["tea"], 10);
  await search();
  await search();
  assert.equal(registries.requests.length, 1);
  const cache = join(world.folder, ".hub/index-cache");
  const [saved = ""] = readdirSync(cache);
  world.write({ [`skills/.hub/index-cache/${saved}`]: "{" });
  assert.equal((await search())[0]?.hits.length, 1);
  assert.equal(registries.requests.length, 2);
});
