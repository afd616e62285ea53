import { Command, Help } from "commander";
import { programName } from "../../shared/process/called-as.ts";
import type { Action, Call, On } from "./call.ts";
import { addApprovalCommandTree } from "./approval-tree.ts";
import { addBatchCommandTree } from "./batch-tree.ts";
import { addConfigCommandTree } from "./config-tree.ts";
import { addCronCommandTree } from "./cron-tree.ts";
import { addDiagnosisCommandTree } from "./diagnosis-tree.ts";
import { addGatewayCommandTree } from "./gateway-tree.ts";
import { addHomeCommandTree } from "./home-tree.ts";
import { addHookCommandTree } from "./hook-tree.ts";
import { addHelpTexts } from "./help-text.ts";
import { writeNote, writeOut } from "../../shared/process/io.ts";
import { addOverviewCommandTree } from "./overview-tree.ts";
import { addPluginCommandTree } from "./plugin-tree.ts";
import { addSessionCommandTree } from "./session-tree.ts";
import { addSetupCommandTree } from "./setup-tree.ts";
import { addToolCommandTree } from "./tool-tree.ts";
import { version } from "./version.ts";

/**
 * The tree of commands. It holds only names and help; each action's code loads when it runs. docs/reference/cli.md is
 * generated from it.
 * @param only Builds only `chat`, the command that scripts start most, to start faster.
 */
export function buildProgram(
  wrap: (action: (call: Call, ...given: unknown[]) => Promise<number | void>) => (...given: unknown[]) => Promise<void>,
  only?: "chat",
): Command {
  const on = (action: Action) => wrap(action as (call: Call, ...given: unknown[]) => Promise<number | void>);
  const program = new Command(programName())
    .description("A self-hosted AI agent you can trust with your machine.")
    .version(version(), "-V, --version", "Show the version")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", "Show help for a command")
    .option("-p, --profile <name>", "Use the profile with this name (a separate home folder)")
    .option("--ignore-user-config", "Ignore config.yaml and use the defaults; keys in .env still load")
    .option("--safe-mode", "Use the defaults and load only the bundled plugins")
    .option("--accept-hooks", "Allow the shell hooks in config.yaml without asking (HERMES_ACCEPT_HOOKS=1)")
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut, writeErr: writeNote, outputError: () => {} })
    .exitOverride()
    .configureHelp({ sortSubcommands: false, minWidthToWrap: 20, subcommandTerm: termOf });

  chatOptions(
    program.command("chat", { isDefault: true }).description("Talk to the agent, or run one turn with -q"),
  ).action(on(async (call, options) => (await import("../commands/chat.ts")).chat(call, options)));

  if (only === undefined) addServices(program, on);
  addHelpTexts(program);
  for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)])
    command.exitOverride();
  return program;
}

/** The top-level list shows names only, to leave room for the descriptions. Each command's help shows its arguments. */
function termOf(command: Command): string {
  return command.parent?.parent === null
    ? [command.name(), ...command.aliases()].join("|")
    : new Help().subcommandTerm(command);
}

/** Adds every command but `chat`, in the order of the help. */
function addServices(program: Command, on: On): void {
  addToolCommandTree(program, on);
  addSessionCommandTree(program, on);
  addApprovalCommandTree(program, on);
  addHookCommandTree(program, on);
  addPluginCommandTree(program, on);
  addCronCommandTree(program, on);
  addBatchCommandTree(program, on);
  addConfigCommandTree(program, on);
  const terminals = program.command("terminals").description("List and check terminal backends, where commands run");
  terminals
    .command("list", { isDefault: true })
    .description("List every backend, and why one cannot be used")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/terminals.ts")).listTerminals(call, options)));
  terminals
    .command("check [name]")
    .description("Run a test command in every backend, or in one; explains each failure")
    .option("--json", "Print JSON")
    .action(
      on(async (call, name, options) => (await import("../commands/terminals.ts")).checkTerminals(call, name, options)),
    );
  addSetupCommandTree(program, on);
  addGatewayCommandTree(program, on);
  program
    .command("dashboard")
    .description("Show sessions, settings, keys, plugins, jobs and logs in a browser")
    .option("--host <address>", "Address to listen on", "127.0.0.1")
    .option("--port <n>", "Port to listen on; 0 picks a free port", "9119")
    .option("--no-open", "Do not open a browser")
    .option("--insecure", "Allow an address that other machines can reach, without TLS")
    .option("--tui", "Add a tab with the terminal interface")
    .action(on(async (call, options) => (await import("../commands/dashboard.ts")).dashboard(call, options)));
  program
    .command("acp")
    .description("Serve an editor over stdin and stdout (Agent Client Protocol); editors run this")
    .option("--check", "Check whether an editor can start it, then exit")
    .option("--setup", "Choose a model and enter its key, step by step")
    .action(on(async (call, options) => (await import("../commands/acp.ts")).acp(call, options)));
  addHomeCommandTree(program, on);
  addOverviewCommandTree(program, on);
  addDiagnosisCommandTree(program, on);
  program
    .command("version")
    .description("Print the version of Hermes")
    .action(on(async ({ io }) => io.out(`${version()}\n`)));
  program
    .command("completion <shell>")
    .description("Print a completion script for bash, zsh or fish")
    .addHelpText("after", COMPLETION_HELP)
    .action(on(async (call, shell) => (await import("../commands/completion.ts")).completion(call, shell, program)));
}

const COMPLETION_HELP = `
bash  echo 'eval "$(hermes completion bash)"' >> ~/.bashrc
zsh   echo 'source <(hermes completion zsh)' >> ~/.zshrc
fish  hermes completion fish > ~/.config/fish/completions/hermes.fish`;

function chatOptions(chat: Command): Command {
  return chat
    .option("-q, --query <text>", "Run one turn with this text and exit; `-` reads it from stdin")
    .option("-Q, --quiet", "Print only the final answer")
    .option("--json", "Print every event as JSON, one object per line")
    .option("-m, --model <name>", "Model for this run: `provider/name` or a name")
    .option("--provider <id>", "Model provider for this run")
    .option("-t, --toolsets <names>", "Toolsets for this run, comma-separated")
    .option("--disable-toolsets <names>", "Toolsets to exclude from this run")
    .option("--terminal <name>", "Terminal backend for this run: local, docker, ssh, …")
    .option("--max-turns <n>", "Maximum model requests in this run, plus one for a summary")
    .option("-c, --continue [title]", "Resume the latest session, or the one with this title")
    .option("-r, --resume [session]", "Resume this session (id, start of an id, or title), or pick one from a list")
    .option("--yolo", "Do not ask for approval; hard blocks still apply (HERMES_YOLO_MODE=1)")
    .option("--ignore-rules", "Do not read AGENTS.md and similar files (HERMES_IGNORE_RULES=1)")
    .option("--tui", "Use the whole screen, with a scrolling conversation (display.interface)")
    .option("--no-tui", "Use the terminal's scrollback")
    .option("--source <tag>", "Surface to list the session under", "cli");
}
