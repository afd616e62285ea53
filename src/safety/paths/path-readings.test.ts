import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure } from "../../contract/common/failure.ts";
import { absolutePath } from "./absolute-path.ts";
import { followLinks } from "./follow-links.ts";
import { pathReadings } from "./path-readings.ts";
import { judgePath } from "./paths.ts";

const HOME = "/home/u";
const ROOT = "/home/u/p";
const answer = (access: "read" | "write", path: string): string => {
  let literal: string;
  try {
    literal = absolutePath(path, ROOT, HOME);
  } catch (error) {
    // It is no path of a file tool.
    if (error instanceof ToolFailure) return "deny";
    throw error;
  }
  return judgePath({ path: literal, literal, access, home: HOME, roots: [ROOT] }).answer;
};

test("plain paths have one reading, however long", () => {
  for (const path of ["/a/b.txt", "/a/.git/x", "/a/..b/c...d/e"]) assert.deepEqual(pathReadings(path, HOME), [path]);
});

test("no spelling of a parent path leaves the workspace", () => {
  const out = [
    "..",
    "../x",
    "a/../../x",
    "/etc/passwd",
    "/home/u/p2/x",
    "/home/u/pp",
    "..\\..\\etc",
    "a\\..\\..\\x",
    "..%2f..%2fetc",
    "%2e%2e/x",
    "%252e%252e%252fx",
    "．．／x",
    "..∕x",
    "․․/x",
    ".\u200b./x",
    "$HOME/x",
    "${HOME}/.profile",
    ".. /x",
    "…/../../x",
    "~",
  ];
  assert.deepEqual(
    out.map((path) => `${answer("read", path)} ${path}`),
    out.map((path) => `deny ${path}`),
  );
});

test("protected names stay protected under other spellings", () => {
  const names = [
    ".git/hooks/pre-commit",
    ".GIT/Hooks/x",
    ".git./hooks/x",
    ".git /hooks/x",
    ".git\\hooks\\x",
    ".gіt/hooks/x",
    ".g\u200cit/hooks/x",
    ".ｇｉｔ/hooks/x",
    ".git::$INDEX_ALLOCATION/hooks/x",
    ".git%2fhooks%2fx",
    "id_rsa",
    "ID_RSA",
    ".git/config",
  ];
  assert.deepEqual(
    names.map((path) => `${answer("write", path)} ${path}`),
    names.map((path) => `deny ${path}`),
  );
  const secrets = [".env", ".ENV", ".env.", ".env ", ".еnv", ".env.production", ".env::$DATA", ".%65nv"];
  assert.deepEqual(
    secrets.map((path) => `${answer("read", path)} ${path}`),
    secrets.map((path) => `deny ${path}`),
  );
});

test("names with dots, spaces, symbols and letters of any script are ordinary", () => {
  const names = [
    "a..b",
    "...",
    "..a/b",
    "a b/c.txt",
    "100% sure.md",
    "50%20off.txt",
    "документы/сору.md",
    "日本語/é.txt",
    "[id]/page.tsx",
    "a:b.txt",
    "C++/x.cc",
    "$x.php",
    "it's",
    "a\tb",
    ".env.example",
    ".gitignore",
    ".github/workflows/x.yml",
    "#x",
    "x.",
    "~$doc.docx",
  ];
  for (const access of ["read", "write"] as const)
    assert.deepEqual(
      names.map((path) => `${answer(access, path)} ${path}`),
      names.map((path) => `allow ${path}`),
    );
});

test("refuses path syntax that only a shell, a browser or another system understands", () => {
  for (const path of [
    "~+/x",
    "%2e%2e/x",
    "．．/x",
    "file:///etc/passwd",
    "https://x.org/a",
    "C:\\Windows\\x",
    "\\\\server\\share",
    "a\0b",
    "x".repeat(5000),
  ])
    assert.throws(() => absolutePath(path, ROOT, HOME), { code: "bad_arguments" }, path);
  assert.equal(answer("read", "a\u001b[2Jb"), "deny");
});

test("follows links to where they would write, dangling ones too, and stops at circles", async () => {
  const links: Readonly<Record<string, string>> = {
    "/w/out": "/etc/cron.d/new",
    "/w/up": "..",
    "/w/in": "sub/x",
    "/w/a": "b",
    "/w/b": "a",
  };
  const follow = (path: string): Promise<string> => followLinks(path, async (at) => links[at]);
  assert.equal(await follow("/w/out"), "/etc/cron.d/new");
  assert.equal(await follow("/w/up/etc/x"), "/etc/x");
  assert.equal(await follow("/w/in/y"), "/w/sub/x/y");
  assert.equal(await follow("/w/none/y"), "/w/none/y");
  await assert.rejects(follow("/w/a"), /more than 40 links/);
});
