import type { Command } from "commander";
import { asTyped } from "../../shared/process/called-as.ts";
import { EXIT_MEANS } from "../../shared/process/exit-code.ts";

type Example = readonly [line: string, does: string];

/** What stands below the options, by the words behind `hermes`: lines to copy, and what each does. */
const EXAMPLES: { readonly [command: string]: readonly Example[] } = {
  "": [
    ["hermes", "talk to the agent"],
    ['hermes chat -q "tidy this folder"', "run one turn and end"],
    ["hermes --continue", "go on with the latest conversation"],
    ["hermes setup", "connect a model"],
  ],
  chat: [
    ['hermes chat -q "run the tests and fix what fails"', "one turn"],
    ['git diff | hermes chat -q "review this"', "what is piped in joins it"],
    ['hermes chat -q "and now the docs" --continue', "the latest session goes on"],
    ['hermes chat -q "is it up?" --json | jq -r .type', "events for a program"],
  ],
  tools: [
    ["hermes tools", "what the model is offered, and why not"],
    ["hermes tools show read_file", "what it takes"],
    ["hermes tools disable terminal", "not offered from now on"],
  ],
  "tools call": [
    [`hermes tools call read_file '{"path":"README.md"}'`, "arguments as JSON"],
    ["hermes tools call patch - < arguments.json", "the same from stdin"],
  ],
  sessions: [
    ["hermes sessions", "the newest"],
    ['hermes sessions search "flaky test"', "by words"],
    ["hermes sessions export 20260407 notes.md", "the start of an id is enough"],
    ["hermes sessions prune --older-than 30 --dry-run", "what would go"],
  ],
  approvals: [
    ["hermes approvals", "the rules there are"],
    ["hermes approvals explain 'rm -rf build'", "what it would do, and who decides"],
  ],
  config: [
    ["hermes config set model.default claude-sonnet-4.5", "comments in the file stay"],
    ["hermes config set OPENROUTER_API_KEY sk-…", "a secret goes into .env"],
    ["hermes config explain terminal.timeout", "where its value comes from"],
  ],
  model: [
    ["hermes model", "what answers now"],
    ["hermes model openrouter/anthropic/claude-sonnet-4.5", "from now on"],
    ["hermes model llama3 --base-url http://127.0.0.1:11434/v1", "a server of your own"],
  ],
  setup: [
    ["hermes setup", "all of it"],
    ["hermes setup model", "one section"],
    ["hermes setup --non-interactive", "what is missing, for scripts"],
  ],
  acp: [
    ["hermes acp", "the command that an editor's settings name"],
    ["hermes acp --check", "whether an editor can start it, and which model answers"],
  ],
  logs: [
    ["hermes logs -f --level warning", "what goes wrong, as it does"],
    ["hermes logs errors -n 5", "the last errors"],
  ],
  fallback: [["hermes fallback add anthropic/claude-sonnet-4.5", "if the model fails for good"]],
  terminals: [["hermes terminals check docker", "run a command there"]],
};

/** Commands that scripts run for their status. */
const WITH_STATUS = new Set(["", "chat", "tools call"]);

/** Gives every command its examples, and those that scripts run what their exit status means. */
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

/** Without the program's own name: `tools call`. */
function wordsOf(command: Command): string {
  if (command.parent === null) return "";
  return `${wordsOf(command.parent)} ${command.name()}`.trim();
}
