import assert from "node:assert/strict";
import { test } from "node:test";
import { likeness, nearest, nearName, nearOnes } from "./near-name.ts";

const TOOLS = [
  { name: "read_file", effect: "read" },
  { name: "search_files", effect: "read" },
  { name: "write_file", effect: "write" },
  { name: "terminal", effect: "execute" },
  { name: "todo", effect: "none" },
] as const;

test("equivalent spellings of a name reach any tool", () => {
  for (const [name, tool] of [
    ["Terminal", "terminal"],
    ["WRITE-FILE", "write_file"],
    ["WriteFile", "write_file"],
    ["writeFile", "write_file"],
    ["write file", "write_file"],
    ["terminal_tool", "terminal"],
    ["TerminalTool", "terminal"],
    ["terminal_tool_tool", "terminal"],
    ["functions.terminal", "terminal"],
    ["terminalterminal", "terminal"],
    ["write_filewrite_file", "write_file"],
    [" terminal ", "terminal"],
    ["writefile", "write_file"],
    ["Write_File_Tool", "write_file"],
    ["writefiletool", "write_file"],
    ["to_do", "todo"],
    ["TermInal", "terminal"],
  ] as const) {
    assert.equal(nearName(name, TOOLS), tool, name);
  }
});

test("an ambiguous spelling of two tools matches neither", () => {
  const two = [
    { name: "send_mail", effect: "write" },
    { name: "sendmail", effect: "write" },
  ] as const;
  assert.equal(nearName("send-mail", two), "send_mail");
  assert.equal(nearName("SENDMAIL", two), "sendmail");
  assert.equal(nearName("s_endmail", two), undefined);
});

test("a guessed name reaches only a tool that changes nothing", () => {
  assert.equal(nearName("read_fil", TOOLS), "read_file");
  assert.equal(nearName("searchfile", TOOLS), "search_files");
  assert.equal(nearName('read_file" id="1', TOOLS), "read_file");
  for (const name of [
    "termnal",
    "write_fil",
    "wrte_file",
    'terminal" id="1',
    "terminal<x>",
    "bash",
    "",
    "x".repeat(5000),
  ])
    assert.equal(nearName(name, TOOLS), undefined, name.slice(0, 30));
});

test("suggests names that are similar or share a word, and nothing for unrelated ones", () => {
  const near = (name: string) => nearOnes(name, TOOLS).map((one) => one.name);
  assert.deepEqual(near("wrte_file"), ["write_file", "read_file", "search_files"]);
  assert.deepEqual(near("deleteFiles"), ["write_file", "search_files", "read_file"]);
  assert.deepEqual(near("termnal"), ["terminal"]);
  for (const name of ["dice", "bash", "some_tool", "", "x".repeat(5000)])
    assert.deepEqual(near(name), [], name.slice(0, 30));
});

test("the nearest names come first", () => {
  assert.deepEqual(
    nearest("wrte_file", TOOLS)
      .slice(0, 2)
      .map(({ name }) => name),
    ["write_file", "read_file"],
  );
  assert.equal(likeness("abcd", "bcde"), 0.75);
  assert.equal(likeness("", ""), 1);
});
