import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { makePages } from "../../scripts/generate/make-pages.ts";
import { pageOf, readPage, readPages, ROOT, type DocsPage } from "./read-pages.ts";
import { scanVariables } from "./scan-variables.ts";

const pages = readPages();
const byFile = new Map(pages.map((page) => [page.file, page]));

test("every Markdown file of the project is a page, in both languages", () => {
  const files = pages.map(({ file }) => file);
  for (const file of [
    "README.zh-Hans.md",
    "SECURITY.md",
    ".github/PULL_REQUEST_TEMPLATE.md",
    "docs/zh-Hans/plugins.md",
    "docs/reference/cli.md",
    "plugins/web/tavily/README.md",
    "examples/plugins/weather-python/README.md",
    "skills/hermes/write-plugin/SKILL.md",
  ])
    assert.ok(files.includes(file), file);
});

test("finds links of each form, and none in code", () => {
  const page = pageOf(
    "x.md",
    `[a](a.md) ![b](b.svg "title") [c](<c.md#d>) [d][e] \`[no](no.md)\`

[e]: e.md
<a class="x" href="f.md">f</a> <img alt="" src="g.svg">

\`\`\`md
[no](no.md)
\`\`\`
`,
  );
  assert.deepEqual(page.links, ["a.md", "b.svg", "c.md#d", "e.md", "f.md", "g.svg"]);
});

// req: docs.no-broken-links
test("every link of every page leads to an existing file and heading", () => {
  const broken = pages.flatMap((page) =>
    page.links.flatMap((link) => (resolves(page, link) ? [] : [`${page.file}: ${link}`])),
  );
  assert.deepEqual(broken, []);
});

/** `npm run requirements` generates it from a whole test run, so it may be missing while this test runs. */
const MADE_FROM_TESTS = "docs/reference/requirements.md";

function resolves(page: DocsPage, link: string): boolean {
  if (/^[a-z]+:/.test(link)) return URL.canParse(link);
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? page.file : normalize(join(dirname(page.file), path));
  if (file === MADE_FROM_TESTS) return true;
  if (!existsSync(join(ROOT, file))) return false;
  if (anchor === undefined) return true;
  if (statSync(join(ROOT, file)).isDirectory()) return false;
  return (byFile.get(file) ?? readPage(file)).anchors.has(decodeURIComponent(anchor));
}

// req: docs.reference-in-sync
test("the reference pages match the code", async () => {
  const stale = (await makePages())
    .filter(({ file, text }) => readFileSync(join(ROOT, "docs/reference", file), "utf8") !== text)
    .map(({ file }) => file);
  assert.deepEqual(stale, [], "npm run generate");
});

// req: docs.reference-in-sync
test("no page mentions names that do not exist", () => {
  const files = globSync(["*.md", "docs/**/*", "src/**/*.ts", "plugins/**/*.{ts,md,yaml,json}", "examples/**/*"], {
    cwd: ROOT,
  }).filter((file) => statSync(join(ROOT, file)).isFile() && file !== MADE_FROM_TESTS);
  const found = files.filter((file) => /\/terminal-setup|QQ_SANDBOX/.test(readFileSync(join(ROOT, file), "utf8")));
  assert.deepEqual(found, []);
});

// req: docs.env-reference
test("the page of variables lists every variable that the code reads once, and no others", () => {
  const { text } = readPage("docs/reference/environment.md");
  const listed = text
    .split("\n")
    .flatMap((line) =>
      line.startsWith("| `")
        ? [/^\| `([A-Za-z0-9_]+)`/.exec(line)?.[1] ?? ""]
        : line.startsWith("They belong to")
          ? [...line.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = ""]) => name)
          : [],
    );
  assert.deepEqual(
    listed.filter((name, at) => listed.indexOf(name) !== at),
    [],
    "twice",
  );
  const kind = /^(HERMES|TERMINAL)_|_(API_KEY|BASE_URL)$/;
  assert.deepEqual(listed.filter((name) => kind.test(name)).sort(), [...scanVariables().keys()].sort());
});

test("the page of variables shows the default of each setting's variable", () => {
  const { text } = readPage("docs/reference/environment.md");
  assert.match(text, /^\| `HERMES_MAX_ITERATIONS` \| `90` \| `agent\.max_turns`: /m);
  assert.match(text, /^\| `HERMES_HOME` \| `~\/\.hermes` \| /m);
});
