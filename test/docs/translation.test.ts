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
/** Pages that exist in English only. */
const FOR_CONTRIBUTORS: ReadonlySet<string> = new Set(["architecture.md"]);
const guides = pairs.filter(({ name }) => name !== "README");

test("every guide exists in both languages, and no other page of docs is a guide", () => {
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
test("each page links to itself in the other language", () => {
  for (const { name, english, chinese, toEnglish, toChinese } of pairs) {
    assert.ok(english.text.includes(`[简体中文](${toChinese})`), name);
    assert.ok(chinese.text.includes(`[English](${toEnglish})`), name);
  }
});

// req: i18n.preserved-parts, docs.adding-tools
test("a translation has the same heading levels, code and links as its page", () => {
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
test("the page on adding tools first recommends a plugin, in both languages, with two links into its guide", () => {
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
test("a translated page links to translated pages if they exist, with the language folder named once", () => {
  for (const { name, chinese } of guides) {
    for (const link of chinese.links.filter((target) => target !== `../${name}`)) {
      assert.ok(!link.includes("zh-Hans"), `${name}: ${link}`);
      assert.ok(!GUIDES.some((guide) => withoutAnchor(link, name) === `../${guide}`), `${name}: ${link}`);
    }
  }
});

/** Pages that exist in English only are one folder up; the link to the other language is not part of the text. */
function inEnglish(link: string, name: string): string {
  if (link === `../${name}`) return "the other language";
  const path = withoutAnchor(link, name);
  return path.startsWith("../") ? path.slice(3) : path;
}

/** Translation changes headings, and their anchors with them. */
function withoutAnchor(link: string, name: string): string {
  if (link === `zh-Hans/${name}`) return "the other language";
  return link.startsWith("#") ? "this page" : (link.split("#")[0] ?? "");
}
