import { resolve } from "node:path";
import type { ApprovalExplanation, ApprovalRule, PolicyChange } from "../../../contract/services/approval-service.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { formatWallTime, wallTime } from "../../../contract/common/wall-time.ts";
import type { Call } from "../program/call.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { printable } from "../../shared/display/printable.ts";
import { tableOn } from "../../shared/display/table.ts";

/** Explains what a command would do here, who would decide, and what would allow it. Runs nothing. */
export async function explainCommand(
  { io, open }: Call,
  command: string,
  options: { readonly cwd?: string; readonly platform: string; readonly json?: boolean },
): Promise<void> {
  if (command.trim() === "")
    throw new UserError("The command to explain is empty.", {
      hint: "Example: hermes approvals explain 'rm -rf build'",
      exitCode: EXIT.usage,
    });
  const { approvals } = await open();
  const explained = await approvals.explain(command, { cwd: resolve(options.cwd ?? "."), surface: options.platform });
  io.out(
    options.json
      ? `${JSON.stringify(explained, null, 2)}\n`
      : explanation(explained, (text) => io.styleOut("bold", text)),
  );
}

export function explanation(explained: ApprovalExplanation, strong: (text: string) => string): string {
  const lines: string[] = [
    `${strong({ runs: "Runs without asking", asks: "Asks first", refused: "Refused" }[explained.answer])}: ${explained.by}`,
  ];
  const part = (name: string, texts: readonly string[]): void =>
    void texts.forEach((text, at) =>
      lines.push(`  ${(at === 0 ? name : "").padEnd(6)} ${printable(text).replaceAll("\n", `\n${" ".repeat(9)}`)}`),
    );
  part("$", [explained.command]);
  part("holds", explained.decoded);
  part("runs", explained.commands);
  part("in", [explained.cwd]);
  part("on", explained.where === undefined ? [] : [explained.where]);
  part("box", explained.sandbox ?? []);
  part("class", explained.key === "" ? [] : [explained.key]);
  part("why", explained.reasons);
  part("does", [...explained.effects, ...explained.counts]);
  part("pass", explained.passes);
  return `${lines.join("\n")}\n`;
}

export async function listRules({ io, open }: Call, options: { readonly json?: boolean }): Promise<number> {
  const { approvals } = await open("for-repair");
  const rules = await approvals.rules();
  if (options.json) io.out(`${JSON.stringify(rules, null, 2)}\n`);
  else if (rules.length === 0)
    io.note(
      "No rules: Hermes asks before every risky call. Answer “always” to add a rule; add commands that must never run to approvals.deny.\n",
    );
  else
    io.out(
      tableOn(
        io,
        ["", "RULE", "FROM", "EXAMPLES", "UNTIL"],
        rules.map((rule) => [rule.list, rule.rule, rule.from, examplesOf(rule), untilOf(rule)]),
      ),
    );
  return rules.some(({ problem }) => problem !== undefined) ? EXIT.failed : EXIT.ok;
}

export async function revokeRule({ io, open }: Call, rule: string): Promise<void> {
  const { approvals } = await open();
  await approvals.revoke(rule);
  io.out(`Removed: ${rule}\n`);
}

/**
 * Tests the policy against expectations: `allow|ask|block COMMAND` lines, or JSON lines `{"command","expect"}`.
 * Always tests the rules' examples.
 */
export async function testPolicy(
  { io, open }: Call,
  file: string | undefined,
  options: { readonly cwd?: string; readonly platform: string; readonly json?: boolean },
): Promise<number> {
  const expectations = file === undefined ? [] : expectationsOf(await readLines(file), file);
  const { approvals } = await open();
  const wrong: { readonly what: string; readonly expected: string; readonly got: string }[] = [];
  const rules = await approvals.rules();
  for (const { rule, problem } of rules)
    if (problem !== undefined) wrong.push({ what: rule, expected: "its examples", got: problem });
  for (const { command, expect } of expectations) {
    const got = WORDS[await approvals.answer(command, { cwd: resolve(options.cwd ?? "."), surface: options.platform })];
    if (got !== expect) wrong.push({ what: command, expected: expect, got });
  }
  const checked =
    expectations.length + rules.reduce((sum, { examples }) => sum + examples.allow.length + examples.deny.length, 0);
  if (options.json) io.out(`${JSON.stringify({ checked, wrong }, null, 2)}\n`);
  else {
    for (const { what, expected, got } of wrong) io.out(`✗ ${printable(what)}\n    expected ${expected}, got ${got}\n`);
    io.out(`${checked} checked, ${wrong.length} wrong\n`);
    if (checked === 0)
      io.note("No rule has examples. Pass a file with one expectation per line: allow|ask|block COMMAND.\n");
  }
  return wrong.length > 0 ? EXIT.failed : EXIT.ok;
}

export async function whatIf(
  { io, open }: Call,
  options: {
    readonly mode?: PolicyChange["mode"];
    readonly allow?: readonly string[];
    readonly deny?: readonly string[];
    readonly without?: readonly string[];
    readonly sessions: string;
    readonly json?: boolean;
  },
): Promise<void> {
  const sessions = Number(options.sessions);
  if (!Number.isInteger(sessions) || sessions < 1)
    throw new UserError(`--sessions must be a whole number above 0, not "${options.sessions}".`, {
      exitCode: EXIT.usage,
    });
  const { mode, allow, deny, without } = options;
  if (mode === undefined && allow === undefined && deny === undefined && without === undefined)
    throw new UserError("No policy change was given.", {
      hint: "Give one: --mode MODE, --allow RULE, --deny RULE or --without RULE.",
      exitCode: EXIT.usage,
    });
  for (const [option, rules] of [
    ["--allow", allow],
    ["--deny", deny],
    ["--without", without],
  ] as const) {
    if (rules?.some((rule) => rule.trim() === "") === true)
      throw new UserError(`The rule of ${option} is empty.`, {
        hint: "`hermes approvals list` shows examples of rules.",
        exitCode: EXIT.usage,
      });
  }
  const { approvals } = await open();
  const known = without === undefined ? [] : (await approvals.rules()).map(({ rule }) => rule);
  for (const rule of without ?? [])
    if (!known.includes(rule))
      throw new UserError(`There is no rule "${rule}".`, {
        hint: "`hermes approvals list` shows all rules.",
        exitCode: EXIT.usage,
      });
  const { commands, changed } = await approvals.whatIf({ mode, allow, deny, without }, { sessions });
  if (options.json) return io.out(`${JSON.stringify({ commands, changed }, null, 2)}\n`);
  for (const { command, times, before, after } of changed)
    io.out(
      `${io.styleOut("bold", `${before.answer} → ${after.answer}`)}  ${printable(command).replaceAll("\n", "\n    ")}${times > 1 ? `  (${times} times)` : ""}\n    ${after.by}\n`,
    );
  io.out(
    `${changed.reduce((sum, { times }) => sum + times, 0)} of ${commands} commands would be decided differently\n`,
  );
}

const WORDS = { runs: "allow", asks: "ask", refused: "block" } as const;

function examplesOf({ examples, problem }: ApprovalRule): string {
  const count = examples.allow.length + examples.deny.length;
  return problem ?? (count === 0 ? "" : `${count} pass`);
}

function untilOf({ until, over }: ApprovalRule): string {
  if (until === undefined) return "";
  // `until` is the start of the next day; show the last day on which the rule holds.
  return `${formatWallTime(wallTime(until - 1, ""), "%F %R")}${over === true ? " (expired)" : ""}`;
}

async function readLines(file: string): Promise<string> {
  const { readFileSync } = await import("node:fs");
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw new UserError(unreadable(file, (cause as NodeJS.ErrnoException).code), {
      hint: "Pass a text file with one expectation per line: allow|ask|block COMMAND. - reads from stdin.",
      cause,
      exitCode: EXIT.usage,
    });
  }
}

function unreadable(file: string, code: string | undefined): string {
  if (code === "ENOENT" || code === "ENOTDIR") return `There is no file ${file}.`;
  if (code === "EISDIR") return `${file} is a folder.`;
  return code === "EACCES" || code === "EPERM"
    ? `You may not read ${file}.`
    : `Cannot read ${file} (${code ?? "unknown reason"}).`;
}

function expectationsOf(text: string, file: string): readonly { readonly command: string; readonly expect: string }[] {
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    const found = line.startsWith("{") ? jsonExpectation(line) : /^(allow|ask|block):?\s+(?<command>.+)$/.exec(line);
    const [expect, command] = Array.isArray(found) ? [found[1], found[2]] : [found?.expect, found?.command];
    if (expect === undefined || command === undefined || !Object.values<string>(WORDS).includes(expect))
      throw new UserError(`${file}:${at + 1} is not an expectation: ${line.slice(0, 80)}`, {
        hint: 'Write one per line: allow|ask|block COMMAND, or {"command":…,"expect":…}.',
        exitCode: EXIT.usage,
      });
    return [{ command, expect }];
  });
}

function jsonExpectation(line: string): { readonly command: string; readonly expect: string } | undefined {
  try {
    const { command, expect, verdict } = JSON.parse(line) as {
      readonly command?: unknown;
      readonly expect?: unknown;
      readonly verdict?: unknown;
    };
    const expected = expect ?? verdict;
    return typeof command === "string" && typeof expected === "string" ? { command, expect: expected } : undefined;
  } catch {
    return undefined; // The caller reports it with its line number.
  }
}
