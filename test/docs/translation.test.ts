import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { GUIDES, readPage, ROOT } from "./read-pages.ts";

const pairs = [
  ...GUIDES.map((name) => ({
    name,
    english: readPage(`docs/${name}`),
    chinese: readPage(`docs/zh-Hans/${name}`),
    toEnglish: `../${name}`,
    toChinese: `zh-Hans/${name}`,
  })),
  {
    name: "README",
    english: readPage("README.md"),
    chinese: readPage("README.zh-Hans.md"),
    toEnglish: "README.md",
    toChinese: "README.zh-Hans.md",
  },
];
/** Pages in English only. */
const FOR_CONTRIBUTORS: ReadonlySet<string> = new Set(["architecture.md", "glossary.md"]);
const guides = pairs.filter(({ name }) => name !== "README");

test("every guide is there in both languages, and no other page of docs is a guide", () => {
  const written = globSync("docs/*.md", { cwd: ROOT })
    .map((file) => file.slice("docs/".length))
    .filter((name) => !FOR_CONTRIBUTORS.has(name));
  assert.deepEqual(written.sort(), [...GUIDES]);
  assert.deepEqual(
    globSync("docs/zh-Hans/*.md", { cwd: ROOT })
      .map((file) => file.slice("docs/zh-Hans/".length))
      .sort(),
    [...GUIDES],
  );
});

// req: i18n.toggle
test("each page leads to itself in the other language", () => {
  for (const { name, english, chinese, toEnglish, toChinese } of pairs) {
    assert.ok(english.text.includes(`[简体中文](${toChinese})`), name);
    assert.ok(chinese.text.includes(`[English](${toEnglish})`), name);
  }
});

// req: i18n.preserved-parts, docs.adding-tools
test("a translation has the same headings by level, the same code and the same links, in other words", () => {
  for (const { name, english, chinese } of guides) {
    assert.deepEqual(
      chinese.headings.map(({ level }) => level),
      english.headings.map(({ level }) => level),
      name,
    );
    assert.deepEqual(chinese.fences, english.fences, name);
    assert.deepEqual(
      chinese.links.map((link) => inEnglish(link, name)).sort(),
      english.links.map((link) => withoutAnchor(link, name)).sort(),
      name,
    );
    assert.notEqual(chinese.headings[0]?.text, english.headings[0]?.text, name);
    assert.match(chinese.text, /\p{Script=Han}/u, name);
  }
});

// req: i18n.plugin-first-warning
test("the page on adding tools says first, in both languages, that a tool of one's own is a plugin, and leads to two places of the guide", () => {
  for (const file of ["docs/adding-tools.md", "docs/zh-Hans/adding-tools.md"]) {
    const [box = "", before = ""] = [/^(?:> .*\n)+/m, /^[^]*?(?=^> )/m].map(
      (pattern) => pattern.exec(readPage(file).text)?.[0] ?? "",
    );
    assert.doesNotMatch(before, /^##/m, file);
    const [whole, section] = [...box.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link);
    assert.deepEqual([whole, section?.startsWith("plugins.md#")], ["plugins.md", true], file);
    assert.match(
      box,
      file.includes("zh-Hans")
        ? /自己用的工具，请写插件.*随智能体一起发布/
        : /For a tool of your own, write a plugin\.\*\* This page is for tools that ship with the agent/,
      file,
    );
  }
});

// req: i18n.cross-locale-links
test("a translated page leads to translated pages wherever there are some, and no address goes twice into the language", () => {
  for (const { name, chinese } of guides) {
    for (const link of chinese.links.filter((target) => target !== `../${name}`)) {
      assert.ok(!link.includes("zh-Hans"), `${name}: ${link}`);
      assert.ok(!GUIDES.some((guide) => withoutAnchor(link, name) === `../${guide}`), `${name}: ${link}`);
    }
  }
});

/** Pages that exist in English only lie one folder up; the page itself in the other language is no link of the text. */
function inEnglish(link: string, name: string): string {
  if (link === `../${name}`) return "the other language";
  const path = withoutAnchor(link, name);
  return path.startsWith("../") ? path.slice(3) : path;
}

/** Headings are translated, and anchors with them. */
function withoutAnchor(link: string, name: string): string {
  if (link === `zh-Hans/${name}`) return "the other language";
  return link.startsWith("#") ? "this page" : (link.split("#")[0] ?? "");
}
