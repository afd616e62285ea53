import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { compareWithOriginal } from "../../scripts/generate/original-page.ts";
import { commandNames, optionsOf } from "../../scripts/generate/cli-page.ts";
import { toolsetResolver } from "../../scripts/generate/toolsets-page.ts";
import { readSnapshot } from "../../scripts/generate/read-snapshot.ts";
import { readPage, ROOT } from "./read-pages.ts";

const PAGES = ["docs/from-the-original.md", "docs/zh-Hans/from-the-original.md"];

/** The rows of the table between the markers: name of the kind, here, missing. */
function rowsOf(file: string): readonly (readonly string[])[] {
  const text = readPage(file).text;
  const [, table = ""] = /<!-- compared: [^]*? -->([^]*?)<!-- \/compared -->/.exec(text) ?? [];
  return table
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const namesIn = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

// field: C13
test("the page on the original lists as missing exactly what the program lacks, in both languages", () => {
  const compared = compareWithOriginal(readSnapshot());
  for (const file of PAGES) {
    const rows = rowsOf(file);
    assert.equal(rows.length, compared.length, file);
    for (const [at, { kind, present, absent }] of compared.entries()) {
      const [, here = "", missing = ""] = rows[at]!;
      assert.deepEqual(
        namesIn(missing).map((name) => name.replace(/^\//, "")),
        absent,
        `${file}: ${kind}`,
      );
      if (namesIn(here).length > 0) assert.deepEqual(namesIn(here), present, `${file}: ${kind}`);
      else if (present.length > 0) assert.ok(here.includes(String(present.length)), `${file}: ${kind}`);
      else assert.match(here, /^(?:none|无)$/, `${file}: ${kind}`);
    }
  }
});

test("every command and option that the page names exists", () => {
  const known = commandNames();
  for (const file of PAGES) {
    const spans = [...readPage(file).text.matchAll(/`(hermes [^`]+)`/g)].map(([, span]) => span!);
    assert.ok(spans.length > 5, file);
    for (const span of spans) {
      const words = span.split(" ");
      const name = [3, 2, 1].map((count) => words.slice(0, count).join(" ")).find((each) => known.has(each)) ?? "";
      assert.notEqual(name, "hermes", `${file}: ${span}`);
      for (const option of words.filter((word) => word.startsWith("-")))
        assert.ok(optionsOf(name).has(option), `${file}: ${span}`);
    }
  }
});

/** The statements about what is missing that no name proves, each with a check of the program. */
const MISSING: readonly (readonly [english: RegExp, chinese: RegExp, holds: () => boolean])[] = [
  [
    /^Hermes as an \[MCP\]/,
    /^作为 \[MCP\]/,
    () => /^ {2}serve: "This version/m.test(source("plugins/mcp/mcp-command.ts")),
  ],
  [
    /^browser sign-in to model providers/,
    /^通过浏览器登录模型提供方/,
    () => /\blogin:/.test(source("src/surfaces/shared/commands/absent-commands.ts")),
  ],
  [
    /^languages \(`display\.language`\)/,
    /^语言（`display\.language`）/,
    () => /unused\([^)]*"language"/.test(source("src/host/config/sections/surface.ts")),
  ],
  [/^Windows$/, /^Windows$/, () => !existsSync(join(ROOT, "hermes.cmd"))],
];

test("every other statement about what is missing has a check, and holds", () => {
  for (const [file, column] of [
    [PAGES[0]!, 0],
    [PAGES[1]!, 1],
  ] as const) {
    const [, section = ""] = /<!-- \/compared -->([^]*)$/.exec(readPage(file).text) ?? [];
    const bullets = [...section.matchAll(/^- ([^\n]*)/gm)].map(([, text]) => text!);
    assert.equal(bullets.length, MISSING.length, file);
    for (const [at, bullet] of bullets.entries()) assert.match(bullet, MISSING[at]![column], file);
  }
  for (const [english, , holds] of MISSING) assert.ok(holds(), `no longer true: ${english.source}`);
});

test("the page on the web says which toolsets include web_crawl, as the table of toolsets has it", () => {
  const resolver = toolsetResolver(readSnapshot());
  const including = ["web", "debugging", "safe", "search", "hermes-cli"].filter((name) =>
    resolver.resolveToolset(name).includes("web_crawl"),
  );
  for (const file of ["docs/memory.md", "docs/zh-Hans/memory.md"]) {
    const sentence =
      readPage(file)
        .text.replaceAll("\n", " ")
        .match(/[^.。]*`debugging`[^.。]*[.。]/)?.[0] ?? "";
    assert.deepEqual(
      ["web", "debugging", "safe", "search", "hermes-cli"].filter((name) => sentence.includes(`\`${name}\``)),
      including,
      file,
    );
  }
});

function source(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}
