import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { GUIDES, readPage, ROOT, type Fence } from "./read-pages.ts";

const guides = GUIDES.map((name) => readPage(`docs/${name}`));
const withHome = (path: string, home: string): string => path.replace(/^~/, home);

test("every TypeScript snippet of the guides type-checks against the public entry points", () => {
  using home = folder();
  const snippets = [...guides, readPage("README.md")].flatMap(({ file, fences }) =>
    fences.filter(({ language }) => language === "ts").map((fence) => ({ file, fence })),
  );
  for (const [at, { fence }] of snippets.entries()) {
    const named = fileOf(fence);
    put(named === undefined ? join(home.path, `snippet-${at}.ts`) : withHome(named, home.path), asModule(fence.code));
  }
  const door = (name: string): readonly [string] => [join(ROOT, "src", name)];
  const options = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      paths: {
        ...projectPaths(),
        "hermes-agent/plugin": door("plugin.ts"),
        "hermes-agent/edit": door("edit/index.ts"),
        "hermes-agent/terminal": door("terminal/index.ts"),
        "hermes-agent/cli": door("cli.ts"),
        "hermes-agent/testing": door("testing/index.ts"),
        "hermes-agent/registry": door("registry.ts"),
      },
      typeRoots: [join(ROOT, "node_modules/@types")],
    },
    include: [join(home.path, "**/*.ts"), join(home.path, ".hermes/**/*.ts")],
  };
  writeFileSync(join(home.path, "package.json"), '{"type":"module"}');
  writeFileSync(join(home.path, "tsconfig.json"), JSON.stringify(options));
  const { stdout, status } = spawnSync(
    join(ROOT, "node_modules/.bin/tsc"),
    ["-p", join(home.path, "tsconfig.json"), "--pretty", "false"],
    { cwd: ROOT, encoding: "utf8" },
  );
  assert.equal(
    stdout
      .split("\n")
      .filter((line) => !line.startsWith("src/"))
      .join("\n")
      .trim(),
    "",
    snippets.map(({ file }, index) => `snippet-${index}: ${file}`).join("\n"),
  );
  assert.equal(status, 0);
});

/** The paths of the project's own configuration, which those of the test replace. */
function projectPaths(): { readonly [name: string]: readonly string[] } {
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8")) as {
    readonly compilerOptions: { readonly paths: { readonly [name: string]: readonly string[] } };
  };
  return Object.fromEntries(
    Object.entries(compilerOptions.paths).map(([name, files]) => [name, files.map((file) => join(ROOT, file))]),
  );
}

/** A snippet with imports or exports is a module; any other is the body of `register`. */
function asModule(code: string): string {
  if (/^(?:import|export) /m.test(code)) return code;
  return `import { defineTool, textOf, ToolFailure, type Plugin } from "hermes-agent/plugin";\nvoid [defineTool, textOf, ToolFailure];\nexport const register: Plugin = (ctx) => {\nvoid ctx;\n${code}\n};\n`;
}

for (const { file, fences } of guides) {
  const blocks = fences.filter(({ info }) => info === "run").length;
  // req: docs.adding-tools
  if (blocks > 0) test(`the commands in ${file} run and print the output that it shows`, () => follow(fences));
}

/**
 * Does what a reader would: writes the files, runs the commands in order in one home and one folder, and compares the
 * output.
 */
function follow(fences: readonly Fence[]): void {
  using home = folder();
  const bin = join(home.path, "bin");
  const work = join(home.path, "work");
  mkdirSync(work);
  put(
    join(bin, "hermes"),
    `#!/bin/sh\nexec "${process.execPath}" --conditions=hermes-source "${join(ROOT, "src/main.ts")}" "$@"\n`,
  );
  chmodSync(join(bin, "hermes"), 0o755);
  for (const fence of fences) {
    const named = fileOf(fence);
    if (named !== undefined) put(withHome(named, home.path), fence.code);
  }
  for (const [at, { info, code }] of fences.entries()) {
    if (info !== "run") continue;
    const { stdout, stderr, status } = spawnSync("sh", ["-ec", code], {
      cwd: work,
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
      env: { PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: home.path, TERM: "dumb", LANG: "C.UTF-8" },
    });
    assert.equal(status, 0, `${code}\n${stdout}${stderr}`);
    const expected = fences[at + 1];
    if (expected?.info === "output") assert.equal(stdout, expected.code, code);
  }
}

test("the plugin of the README runs unchanged", () => {
  const code = readPage("README.md").fences.find(({ language }) => language === "ts")?.code ?? "";
  follow([
    { language: "yaml", info: "file=~/.hermes/plugins/coin/plugin.yaml", code: "name: coin\n" },
    { language: "ts", info: "file=~/.hermes/plugins/coin/index.ts", code },
    {
      language: "sh",
      info: "run",
      code: "hermes plugins enable coin\nhermes tools call coin '{}' | grep -E 'heads|tails'\n",
    },
  ]);
});

test("the test in the plugin guide passes", () => {
  using home = folder();
  for (const fence of readPage("docs/plugins.md").fences) {
    const named = fileOf(fence);
    if (named !== undefined) put(withHome(named, home.path), fence.code);
  }
  const plugin = join(home.path, ".hermes/plugins/calculator");
  mkdirSync(join(plugin, "node_modules"));
  symlinkSync(ROOT, join(plugin, "node_modules/hermes-agent"));
  const { stdout, status } = spawnSync(
    process.execPath,
    ["--conditions=hermes-source", "--test", "--test-reporter=tap"],
    { cwd: plugin, encoding: "utf8", env: { PATH: process.env["PATH"], HOME: home.path } },
  );
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^# pass 1$/m);
});

function fileOf({ info }: Fence): string | undefined {
  return /^file=(\S+)/.exec(info)?.[1];
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function folder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "hermes-docs-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
