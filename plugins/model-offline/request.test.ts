import assert from "node:assert/strict";
import { test } from "node:test";
import { understand } from "./request.ts";

const CASES: readonly (readonly [string, readonly object[]])[] = [
  ["list the files here", [{ kind: "list", path: "." }]],
  ["List files", [{ kind: "list", path: "." }]],
  ["Please list all files in the src folder.", [{ kind: "list", path: "src" }]],
  ["what files are in src/host?", [{ kind: "list", path: "src/host" }]],
  ["What files are here?", [{ kind: "list", path: "." }]],
  ["can you show me the files in this directory", [{ kind: "list", path: "." }]],
  ["show the contents of this folder", [{ kind: "list", path: "." }]],
  ["ls", [{ kind: "list", path: "." }]],
  ["what is in this folder?", [{ kind: "list", path: "." }]],
  ["read README.md", [{ kind: "read", path: "README.md" }]],
  ["show me the file 'my notes.txt'", [{ kind: "read", path: "my notes.txt" }]],
  ["what is in package.json?", [{ kind: "read", path: "package.json" }]],
  ["search for needle", [{ kind: "search", words: "needle", path: "." }]],
  ['search for "two words" in src/engine', [{ kind: "search", words: "two words", path: "src/engine" }]],
  ["search src for needle", [{ kind: "search", words: "needle", path: "src" }]],
  ["find files named *.ts in src", [{ kind: "find", pattern: "*.ts", path: "src" }]],
  ["find *.md files", [{ kind: "find", pattern: "*.md", path: "." }]],
  [
    "write notes.txt with buy milk and read the news",
    [{ kind: "write", path: "notes.txt", text: "buy milk and read the news\n" }],
  ],
  ['create a file called a/b.txt containing "hello"', [{ kind: "write", path: "a/b.txt", text: "hello\n" }]],
  ['write "hello there" to greeting.txt', [{ kind: "write", path: "greeting.txt", text: "hello there\n" }]],
  ["run npm test", [{ kind: "run", command: "npm test" }]],
  ["run the command: npm test", [{ kind: "run", command: "npm test" }]],
  ["run the tests and fix what fails", []],
  ['execute the command `echo "a; b" && ls`', [{ kind: "run", command: 'echo "a; b" && ls' }]],
  ["$ git status", [{ kind: "run", command: "git status" }]],
  ["add a to-do: call Ann", [{ kind: "add-todo", text: "call Ann" }]],
  ["add buy milk to my todo list", [{ kind: "add-todo", text: "buy milk" }]],
  ["remind me to water the plants", [{ kind: "add-todo", text: "water the plants" }]],
  ["delegate list the files here", [{ kind: "delegate", goals: ["list the files here"] }]],
  ["delegate in parallel: read a.txt; run ls", [{ kind: "delegate", goals: ["read a.txt", "run ls"] }]],
  ["show my to-dos", [{ kind: "show-todos" }]],
  ["what's on my todo list?", [{ kind: "show-todos" }]],
  ["Use the weather tool for London", [{ kind: "use", tool: "weather", args: "London" }]],
  [
    "use weather with location=London units=metric",
    [{ kind: "use", tool: "weather", args: "location=London units=metric" }],
  ],
  [
    'call the read_file tool with {"path": "a and then b"}',
    [{ kind: "use", tool: "read_file", args: '{"path": "a and then b"}' }],
  ],
  ["use the todo tool", [{ kind: "use", tool: "todo", args: "" }]],
  ["help", [{ kind: "help" }]],
  ["Hello!", [{ kind: "help" }]],
  [
    "read a.txt and then run ls",
    [
      { kind: "read", path: "a.txt" },
      { kind: "run", command: "ls" },
    ],
  ],
  [
    "write a.txt with hi, then read a.txt, then list the files",
    [
      { kind: "write", path: "a.txt", text: "hi\n" },
      { kind: "read", path: "a.txt" },
      { kind: "list", path: "." },
    ],
  ],
  [
    "read a.txt and read b.txt",
    [
      { kind: "read", path: "a.txt" },
      { kind: "read", path: "b.txt" },
    ],
  ],
  ['run "echo one and then two"', [{ kind: "run", command: "echo one and then two" }]],
  ["tell me a joke", []],
  ["read a.txt and then tell me a joke", []],
  ["", []],
];

test("understands every documented request and its polite forms, and guesses nothing else", () => {
  assert.deepEqual(
    CASES.map(([words]) => [words, understand(words)]),
    CASES.map(([words, requests]) => [words, requests]),
  );
});

test("parses a text with long runs of spaces quickly", () => {
  assert.deepEqual(understand(`read a.txt${" ".repeat(5_000)}then${"\n ".repeat(5_000)}run ls`), [
    { kind: "read", path: "a.txt" },
    { kind: "run", command: "ls" },
  ]);
});
