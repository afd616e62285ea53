import type { Command } from "commander";
import { asTyped } from "../../shared/process/called-as.ts";
import { EXIT_MEANS } from "../../shared/process/exit-code.ts";

type Example = readonly [line: string, does: string];

/** Examples below the options, by the words after `hermes`: a line to copy, and what it does. */
const EXAMPLES: { readonly [command: string]: readonly Example[] } = {
  "": [
    ["hermes", "Talk to the agent"],
    ['hermes chat -q "tidy this folder"', "Run one turn and exit"],
    ["hermes --continue", "Resume the latest session"],
    ["hermes setup", "Connect a model"],
  ],
  chat: [
    ['hermes chat -q "run the tests and fix what fails"', "Run one turn"],
    ['git diff | hermes chat -q "review this"', "Add piped input"],
    ['hermes chat -q "and now the docs" --continue', "Resume the latest session"],
    ['hermes chat -q "is it up?" --json | jq -r .type', "Print events for a program"],
  ],
  tools: [
    ["hermes tools", "List tools, and why one is not offered"],
    ["hermes tools show read_file", "Show its parameters"],
    ["hermes tools disable terminal", "Stop offering a tool"],
  ],
  "tools call": [
    [`hermes tools call read_file '{"path":"README.md"}'`, "Pass arguments as JSON"],
    ["hermes tools call patch - < arguments.json", "Read them from stdin"],
  ],
  sessions: [
    ["hermes sessions", "List the newest sessions"],
    ['hermes sessions search "flaky test"', "Search by words"],
    ["hermes sessions export 20260407 notes.md", "Export it to a file"],
    ["hermes sessions prune --older-than 30 --dry-run", "List what would be deleted"],
  ],
  approvals: [
    ["hermes approvals", "List the rules"],
    ["hermes approvals explain 'rm -rf build'", "Explain what it would do"],
  ],
  config: [
    ["hermes config set model.default claude-sonnet-4.5", "Change a value"],
    ["hermes config set OPENROUTER_API_KEY sk-…", "Store a secret in .env"],
    ["hermes config explain terminal.timeout", "Show its source"],
  ],
  model: [
    ["hermes model", "Show the model"],
    ["hermes model openrouter/anthropic/claude-sonnet-4.5", "Choose a model"],
    ["hermes model llama3 --base-url http://127.0.0.1:11434/v1", "Use your own server"],
  ],
  setup: [
    ["hermes setup", "Set up everything"],
    ["hermes setup model", "Set up one section"],
    ["hermes setup --non-interactive", "Report what is missing, for scripts"],
  ],
  acp: [
    ["hermes acp", "The command to enter in an editor's settings"],
    ["hermes acp --check", "Check that an editor can start it"],
  ],
  logs: [
    ["hermes logs -f --level warning", "Follow warnings and errors"],
    ["hermes logs errors -n 5", "Show the last five errors"],
  ],
  fallback: [["hermes fallback add anthropic/claude-sonnet-4.5", "Add a fallback"]],
  terminals: [["hermes terminals check docker", "Run a test command in Docker"]],
};

/** Commands whose exit status scripts use. */
const WITH_STATUS = new Set(["", "chat", "tools call"]);

/** Adds examples to the help of each command, and exit statuses to the help of commands that scripts run. */
export function addHelpTexts(program: Command): void {
  for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)]) {
    const words = wordsOf(command);
    const examples = EXAMPLES[words];
    if (examples !== undefined) command.addHelpText("after", asTyped(`\nExamples:\n${columns(examples)}`));
    if (WITH_STATUS.has(words))
      command.addHelpText(
        "after",
        `\nExit status:\n${columns(EXIT_MEANS.map(([status, means]) => [String(status), means]))}`,
      );
  }
}

function columns(rows: readonly Example[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}

/** The command's words without the program's name: `tools call`. */
function wordsOf(command: Command): string {
  if (command.parent === null) return "";
  return `${wordsOf(command.parent)} ${command.name()}`.trim();
}
