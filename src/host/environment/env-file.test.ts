import assert from "node:assert/strict";
import { test } from "node:test";
import { formatLine, parseEnvFile } from "./env-file.ts";

test("reads quotes, comments, export and spaces as shells do", () => {
  const { values, problems } = parseEnvFile(`# head
export A=1
B = two words # note
C="x # not a note\\n\\"y\\"" # note
D='raw \\n $HOME'
E=
F=a#b
G="first
second"
H=last\r
`);
  assert.deepEqual(problems, []);
  assert.deepEqual(Object.fromEntries(values), {
    A: "1",
    B: "two words",
    C: 'x # not a note\n"y"',
    D: "raw \\n $HOME",
    E: "",
    F: "a#b",
    G: "first\nsecond",
    H: "last",
  });
});

// field: C01
test("a value that is only a comment is empty; a number sign inside a value stays", () => {
  const { values, problems } = parseEnvFile(`LAB_API_KEY= # get one at https://lab.example.org
export B=\t# note
C = # note
D=# note
E=#
F=#abc
G= #abc
H="" # note
I='#' # note
J=a #
`);
  assert.deepEqual(problems, []);
  assert.deepEqual(Object.fromEntries(values), {
    LAB_API_KEY: "",
    B: "",
    C: "",
    D: "",
    E: "",
    F: "#abc",
    G: "",
    H: "",
    I: "#",
    J: "a",
  });
});

test("parses every value that it formats", () => {
  for (const value of ["plain", "a b", 'say "hi"', "$HOME `x` \\", "tab\tnew\nline\r", "'", "#", "", "ünï"]) {
    assert.equal(parseEnvFile(formatLine("X", value)).values.get("X"), value);
  }
});
