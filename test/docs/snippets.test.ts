import assert from "node:assert/strict";
import { test } from "node:test";
import { parse, parseAllDocuments } from "yaml";
import { commandNames, optionsOf } from "../../scripts/generate/cli-page.ts";
import { readSnapshot } from "../../scripts/generate/read-snapshot.ts";
import { checkSettings } from "../../src/host/config/check-settings.ts";
import { composeSchema } from "../../src/host/config/compose-schema.ts";
import type { Json } from "../../src/contract/common/json.ts";
import { judgeCommand, riskOfCommand } from "../../src/safety/commands/command.ts";
import { ruleCovers } from "../../src/safety/commands/rules.ts";
import { GUIDES, readPage, readPages } from "./read-pages.ts";

const guides = [
  ...GUIDES.map((name) => readPage(`docs/${name}`)),
  readPage("README.md"),
  readPage("README.zh-Hans.md"),
  readPage("CONTRIBUTING.md"),
  readPage("examples/plugins/weather/README.md"),
];
/** Commands that a plugin of the same page adds. */
const OF_PLUGINS = new Set(["hermes house-rules"]);

test("every hermes command in a guide exists, with its options", () => {
  const names = commandNames();
  const wrong = guides.flatMap(({ file, text }) =>
    commandsIn(text).flatMap((words) => {
      const name = [
        "hermes",
        ...words.slice(
          0,
          words.findIndex((word) => !/^[a-z-]+$/.test(word) || word.startsWith("-")) + 1 || words.length,
        ),
      ];
      const known =
        [name.slice(0, 3), name.slice(0, 2)]
          .map((parts) => parts.join(" "))
          .find((each) => names.has(each) || OF_PLUGINS.has(each)) ?? "hermes";
      if (OF_PLUGINS.has(known)) return [];
      const after = words.slice(known.split(" ").length - 1);
      // The rest belongs to another program.
      const rest = after.includes("--args") ? after.slice(0, after.indexOf("--args") + 1) : after;
      if (known === "hermes" && rest[0] !== undefined && /^[a-z][a-z-]+$/.test(rest[0]))
        return [`${file}: hermes ${words.join(" ")}`];
      const options = optionsOf(known);
      return rest
        .filter((word) => /^--?[a-zA-Z]/.test(word) && !options.has(word.split("=")[0] ?? ""))
        .map((word) => `${file}: hermes ${words.join(" ")} (${word})`);
    }),
  );
  assert.deepEqual(wrong, []);
});

/** The arguments of each `hermes …` in code: a block's line or a code span. A quoted value is one argument. */
function commandsIn(text: string): readonly (readonly string[])[] {
  const code = [...text.matchAll(/^`{3,}sh[^\n]*\n([^]*?)^`{3,}$/gm)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .concat([...text.matchAll(/`(\.?\/?hermes [^`]*)`/g)].map(([, quoted = ""]) => quoted));
  return code.flatMap((line) => {
    const found = /(?:^|[\s|])(?:\.\/)?hermes(?= |$)(.*)$/.exec(line.replace(/\s#.*$/, ""));
    return found === null
      ? []
      : [
          [...(found[1] ?? "").split(/ \|\|? /)[0]!.matchAll(/"[^"]*"|'[^']*'|\S+/g)]
            .map(([word]) => word.replace(/[,;:.]$/, ""))
            .filter((word) => word !== "…"),
        ];
  });
}

test("the JSON and YAML of every page parse", () => {
  for (const { file, fences } of readPages()) {
    for (const { language, info, code } of fences) {
      if (language === "yaml")
        assert.deepEqual(
          parseAllDocuments(code).flatMap((document) => document.errors.map(String)),
          [],
          file,
        );
      if (language === "json")
        assert.doesNotThrow(
          () => jsonOf(info === "transcript" ? code.replaceAll(/^[→←] /gm, "") : code),
          `${file}: ${code.slice(0, 80)}`,
        );
    }
  }
});

function jsonOf(code: string): unknown {
  try {
    return JSON.parse(code);
  } catch {
    return code
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown); // One object a line.
  }
}

test("every config.yaml of the guides loads without a warning", () => {
  const sections = readSnapshot().flatMap(({ key, manifest: { config } }) =>
    config === undefined ? [] : [{ owner: key, ...config }],
  );
  const schema = composeSchema(sections);
  for (const { file, fences } of guides) {
    for (const { code } of fences.filter(({ info }) => info === "config")) {
      const { problems, unused } = checkSettings(parse(code) as Json, schema);
      assert.deepEqual({ problems, unused }, { problems: [], unused: [] }, file);
    }
  }
});

test("the rules in the approvals guide match what it says", async () => {
  const rules = (
    parse(readPage("docs/approvals.md").fences.find(({ info }) => info === "config")?.code ?? "") as {
      command_allowlist: readonly string[];
    }
  ).command_allowlist;
  const covered = async (command: string): Promise<boolean> => {
    const risk = riskOfCommand(
      await judgeCommand(command, { cwd: "/home/me/project", home: "/home/me", agentHome: "/home/me/.hermes" }),
    );
    assert.notEqual(risk, undefined, `${command} is asked about`);
    return rules.some((rule) => risk !== undefined && ruleCovers(rule, risk, command));
  };
  for (const command of ["rm -rf build", "git reset --hard", "git push --force origin docs", "git branch -D tmp-1"])
    assert.equal(await covered(command), true, command);
  for (const command of [
    "rm -rf ../other",
    "git push --force origin main",
    "git branch -D main",
    "git branch -D tmp-1; rm -rf build",
  ])
    assert.equal(await covered(command), false, command);
});
