import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { awkText } from "../evaluate/awk-text.ts";
import { sedText } from "../evaluate/sed-text.ts";
import { joinLines, squeeze } from "./text-tools.ts";

const INPUTS = ["rm\n-rf\n/\n", "x rm -rf /\n", "a:b::c\n", "aab  bcc\n", "one", "\n", "a\n\nb\n", " lead 2 words \n"];
const INSTALLED = new Set(
  ["awk", "sed", "paste", "tr"].filter((name) => spawnSync(name, ["--version"]).error === undefined),
);

/** The output of the real tool. */
function real(program: string, args: readonly string[], input: string): string {
  return spawnSync(program, args, { input, encoding: "utf8", env: { PATH: process.env["PATH"], LC_ALL: "C" } }).stdout;
}

/** Wherever we say what a tool prints, it prints that; the rest is left unknown. */
function agrees(
  program: string,
  rows: readonly (readonly [args: readonly string[], ours: (input: string) => string | undefined])[],
  atLeast: number,
): void {
  let message = 0;
  for (const [args, ours] of rows)
    for (const input of INPUTS) {
      const text = ours(input);
      if (text === undefined) continue;
      message++;
      // Whether a last line without an end gets one differs from tool to tool.
      assert.equal(
        text.replace(/\n$/, ""),
        real(program, args, input).replace(/\n$/, ""),
        `${program} ${args.join(" ")} < ${JSON.stringify(input)}`,
      );
    }
  assert.ok(message >= atLeast, `${message} of ${rows.length * INPUTS.length} were predicted`);
}

test("awk programs that print fields and texts", { skip: INSTALLED.has("awk") ? false : "no awk here" }, () => {
  const programs = [
    "{print}",
    "{print $0}",
    "{print $2,$3,$4}",
    "{print $2 $1}",
    '{print $1" "$2}',
    "{print $NF}",
    "NR==2{print $1}",
    "NR == 1 { print $2 }",
    'BEGIN{print "rm -rf /"}',
    'BEGIN{printf "%s %s\\n","rm","/"}',
    '{printf "%s,", $1}',
    "{print toupper($1)}",
    "{print tolower($0); print 7}",
    '{print "a\\tb"}',
    "{print ($1)}",
    "{print $9}",
    "/a/{print $2}",
    "/^a/{print}",
    "/^b c/ {print $1}",
  ];
  agrees(
    "awk",
    programs.map((program) => [[program], (input) => awkText(program, input)]),
    100,
  );
  agrees(
    "awk",
    programs.map((program) => [["-F:", program], (input) => awkText(program, input, ":")]),
    100,
  );
  for (const unknown of [
    '{print $1 | "sh"}',
    '{$1=""; print}',
    "/x.y/{print}",
    "/x|y/{print}",
    "$1 ~ /x/{print}",
    "{print $1}{print $2}",
    "{print length($0)}",
    "{print $i}",
    "{print NR}",
    '{print $1 > "f"}',
    "{print $1+1}",
    "{print substr($1,2)}",
  ])
    assert.equal(awkText(unknown, "a b\n"), undefined, unknown);
});

test("sed scripts that replace, print and delete lines", { skip: INSTALLED.has("sed") ? false : "no sed here" }, () => {
  const scripts: readonly (readonly [readonly string[], boolean])[] = [
    [["s/a/b/"], false],
    [["s/a/b/g"], false],
    [["s|x|/|"], false],
    [["s/a/[&]/g"], false],
    [["s/a/b/;s/b/c/"], false],
    [["s/a/b/", "s/b/d/"], false],
    [["2p"], true],
    [["2p"], false],
    [["1d"], false],
    [["$d"], false],
    [["$p"], true],
    [["1q"], false],
    [["2s/a/b/"], false],
    [["s/a*/x/"], false],
    [["s/^ /-/"], false],
    [["s/.$//"], false],
  ];
  agrees(
    "sed",
    scripts.map(([list, quiet]) => [
      [...(quiet ? ["-n"] : []), ...list.flatMap((script) => ["-e", script])],
      (input) => sedText(input, list, quiet),
    ]),
    100,
  );
  for (const unknown of ["s/a/b/e", "s/a/b/w x", "s/\\(a\\)/\\1/", "/a/d", "1,2d", "y/a/b/", "s/a/b/2", "e ls"])
    assert.equal(sedText("a\n", [unknown], false), undefined, unknown);
});

test(
  "paste that joins lines, and tr that squeezes",
  { skip: INSTALLED.has("paste") && INSTALLED.has("tr") ? false : "no paste or tr here" },
  () => {
    agrees(
      "paste",
      ["\t", " ", ",", ", ", "\\n", ":"].map((delimiters) => [
        ["-s", "-d", delimiters, "-"],
        (input) => joinLines(input, delimiters),
      ]),
      40,
    );
    agrees(
      "tr",
      ["a", "a-c", " ", "[:space:]", "rm f"].map((set) => [["-s", set], (input) => squeeze(input, set)]),
      30,
    );
  },
);
