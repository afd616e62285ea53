import { Command, Help, Option } from "commander";
import { asTyped } from "../../shared/process/called-as.ts";
import type { Action, Call, On } from "./call.ts";
import { addBatchCommandTree } from "./batch-tree.ts";
import { addCronCommandTree } from "./cron-tree.ts";
import { addHelpTexts } from "./help-text.ts";
import { writeNote, writeOut } from "../../shared/process/io.ts";
import { addPluginCommandTree } from "./plugin-tree.ts";
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
  const program = new Command(asTyped("hermes"))
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

/** Adds every command but `chat`. */
function addServices(program: Command, on: On): void {
  const tools = program.command("tools").description("List, show, call, enable and disable tools");
  tools
    .command("list", { isDefault: true })
    .description("List every tool, and why one is not offered to the model")
    .option("--json", "Print JSON")
    .option("--platform <name>", "Apply to this platform", "cli")
    .action(on(async (call, options) => (await import("../commands/plugins/tools.ts")).listTools(call, options)));
  tools
    .command("show <tool>")
    .description("Show one tool's schema, owner and requirements")
    .option("--json", "Print JSON")
    .action(
      on(async (call, name, options) => (await import("../commands/plugins/tools.ts")).showTool(call, name, options)),
    );
  tools
    .command("call <tool> [arguments]")
    .description("Call a tool as a model does, with checks, approval and limits; - reads the arguments from stdin")
    .option("--json", "Print the result as JSON")
    .option("--yolo", "Do not ask for approval (hard blocks still apply)")
    .action(
      on(async (call, name, args, options) =>
        (await import("../commands/plugins/tools.ts")).callTool(call, name, args, options),
      ),
    );
  for (const verb of ["enable", "disable"] as const) {
    tools
      .command(`${verb} <names...>`)
      .description(`${verb === "enable" ? "Enable" : "Disable"} toolsets or tools in config.yaml`)
      .option("--json", "Print JSON")
      .option("--platform <name>", "Apply to this platform", "cli")
      .action(
        on(async (call, names, options) =>
          (await import("../commands/plugins/tools.ts")).switchTools(call, verb, names, options),
        ),
      );
  }

  const sessions = program.command("sessions").description("List, search, export and delete past sessions");
  sessions
    .command("list", { isDefault: true })
    .description("List sessions, newest first")
    .option("--json", "Print JSON")
    .option("--limit <n>", "Maximum number of results", "20")
    .option("--source <surface>", "List only sessions of this surface")
    .action(on(async (call, options) => (await import("../commands/sessions.ts")).listSessions(call, options)));
  sessions
    .command("show <session>")
    .description("Print a session's conversation")
    .option("--json", "Print its facts as JSON, one per line")
    .action(on(async (call, id, options) => (await import("../commands/sessions.ts")).showSession(call, id, options)));
  sessions
    .command("search <words...>")
    .description("Search the text of all sessions, newest first")
    .option("--json", "Print JSON")
    .option("--limit <n>", "Maximum number of results", "20")
    .action(
      on(async (call, words, options) =>
        (await import("../commands/sessions.ts")).searchSessions(call, words, options),
      ),
    );
  sessions
    .command("rename <session> <title...>")
    .description("Set a session's title")
    .action(on(async (call, id, title) => (await import("../commands/sessions.ts")).renameSession(call, id, title)));
  sessions
    .command("branch <session>")
    .description("Copy a session, to continue it separately")
    .option("--at <seq>", "Copy only up to this fact")
    .action(
      on(async (call, id, options) => (await import("../commands/sessions.ts")).branchSession(call, id, options)),
    );
  sessions
    .command("export <session> [file]")
    .description("Export a session as Markdown or JSON lines")
    .addOption(
      new Option("--format <format>", "Output format; by default from the file extension, or md").choices([
        "md",
        "jsonl",
      ]),
    )
    .action(
      on(async (call, id, file, options) =>
        (await import("../commands/sessions.ts")).exportSession(call, id, file, options),
      ),
    );
  sessions
    .command("import [file]")
    .description("Import sessions from the Python original; does not change its database")
    .action(on(async (call, file) => (await import("../commands/sessions.ts")).importSessions(call, file)));
  sessions
    .command("delete <session>")
    .description("Delete a session permanently")
    .option("-y, --yes", "Do not ask for confirmation")
    .action(
      on(async (call, id, options) => (await import("../commands/sessions.ts")).deleteSession(call, id, options)),
    );
  sessions
    .command("prune")
    .description("Delete old sessions")
    .option("--older-than <days>", "Days since the last use", "90")
    .option("--dry-run", "List the sessions without deleting them")
    .option("-y, --yes", "Do not ask for confirmation")
    .action(on(async (call, options) => (await import("../commands/sessions.ts")).pruneSessions(call, options)));

  const approvals = program
    .command("approvals")
    .description("Show, explain and test the rules that allow and deny commands");
  const more = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];
  approvals
    .command("list", { isDefault: true })
    .description("List the rules that allow and deny, and where each comes from")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/approvals.ts")).listRules(call, options)));
  approvals
    .command("explain <command>")
    .description("Explain what a shell command would do, who would decide, and what would allow it; runs nothing")
    .option("--cwd <folder>", "Folder the command would run in")
    .option("--platform <name>", "Platform the command would come from", "cli")
    .option("--json", "Print JSON")
    .action(
      on(async (call, command, options) =>
        (await import("../commands/approvals.ts")).explainCommand(call, command, options),
      ),
    );
  approvals
    .command("revoke <rule>")
    .description("Remove a rule from config.yaml")
    .action(on(async (call, rule) => (await import("../commands/approvals.ts")).revokeRule(call, rule)));
  approvals
    .command("test [file]")
    .description("Test `allow|ask|block COMMAND` lines and the rules' examples against the policy")
    .option("--cwd <folder>", "Folder the command would run in")
    .option("--platform <name>", "Platform the command would come from", "cli")
    .option("--json", "Print JSON")
    .action(
      on(async (call, file, options) => (await import("../commands/approvals.ts")).testPolicy(call, file, options)),
    );
  approvals
    .command("what-if")
    .description("List commands of past sessions that a different policy would decide differently")
    .addOption(new Option("--mode <mode>", "Assume this approvals.mode").choices(["manual", "smart", "off", "deny"]))
    .option("--allow <rule>", "Assume this rule in command_allowlist; repeatable", more)
    .option("--deny <rule>", "Assume this rule in approvals.deny; repeatable", more)
    .option("--without <rule>", "Assume this rule is removed; repeatable", more)
    .option("--sessions <n>", "Number of newest sessions to check", "50")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/approvals.ts")).whatIf(call, options)));

  const hooks = program
    .command("hooks")
    .description("List and test hooks: shell commands in config.yaml, and handlers in ~/.hermes/hooks");
  hooks
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List every hook, and whether it may run")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/plugins/hooks.ts")).listHooks(call, options)));
  hooks
    .command("test <event>")
    .description("Run the shell hooks of this event with a sample payload, even hooks you have not allowed")
    .option("--for-tool <name>", "Sample a call of this tool")
    .option("--payload-file <file>", "Add the keys of this JSON file to the payload")
    .option("--json", "Print JSON")
    .action(
      on(async (call, event, options) =>
        (await import("../commands/plugins/hooks.ts")).testHooks(call, event, options),
      ),
    );
  hooks
    .command("revoke <command>")
    .alias("remove")
    .alias("rm")
    .description("Revoke the permission of a shell hook; it runs again only after you allow it")
    .action(on(async (call, command) => (await import("../commands/plugins/hooks.ts")).revokeHook(call, command)));
  hooks
    .command("doctor")
    .description("Check whether each hook can run, and what it answers")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/plugins/hooks.ts")).doctorHooks(call, options)));

  addPluginCommandTree(program, on);
  addCronCommandTree(program, on);
  addBatchCommandTree(program, on);

  const config = program.command("config").description("Show, change and check config.yaml");
  config
    .command("show", { isDefault: true })
    .description("List every setting that differs from its default")
    .option("--all", "Include defaults")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/config.ts")).showConfig(call, options)));
  config
    .command("get <key>")
    .description("Print one value")
    .option("--json", "Print JSON")
    .action(on(async (call, key, options) => (await import("../commands/config.ts")).getConfig(call, key, options)));
  config
    .command("set <key> <value>")
    .description("Change one value; keeps the comments in the file")
    .action(on(async (call, key, value) => (await import("../commands/config.ts")).setConfig(call, key, value)));
  config
    .command("unset <key>")
    .description("Reset a value to its default")
    .action(on(async (call, key) => (await import("../commands/config.ts")).unsetConfig(call, key)));
  config
    .command("explain <key>")
    .description("Show where a value comes from and which values are allowed")
    .action(on(async (call, key) => (await import("../commands/config.ts")).explainConfig(call, key)));
  config
    .command("path")
    .description("Print the path of config.yaml")
    .action(on(async (call) => (await import("../commands/config.ts")).configPath(call)));
  config
    .command("env-path")
    .description("Print the path of .env")
    .action(on(async (call) => (await import("../commands/config.ts")).envPath(call)));
  config
    .command("check")
    .description("Check config.yaml for mistakes and unused settings")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/config.ts")).checkConfig(call, options)));
  config
    .command("edit")
    .description("Open config.yaml in $EDITOR")
    .action(on(async (call) => (await import("../commands/config.ts")).editConfig(call)));

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

  program
    .command("model [model]")
    .description(asTyped("Show or choose the model: `hermes model provider/name`"))
    .option("--base-url <url>", "Address of an OpenAI-compatible server")
    .option("--api-key <key>", "API key; stored in .env, never in config.yaml")
    .option("--list", "List the provider's models")
    .action(on(async (call, name, options) => (await import("../commands/setup/model.ts")).model(call, name, options)));
  program
    .command("setup [section]")
    .description("Set up model, terminal, agent, tools and media step by step")
    .option("--quick", "Ask only for what is missing")
    .option("--non-interactive", "Ask nothing; report what is set and what is missing")
    .option("--reset", "Reset to the defaults first")
    .action(
      on(async (call, section, options) => (await import("../commands/setup/setup.ts")).setup(call, section, options)),
    );
  const fallback = program
    .command("fallback")
    .description("Manage fallback models, used in order when the model fails");
  fallback
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List the fallback models in order")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/setup/fallback.ts")).listFallbacks(call, options)));
  fallback
    .command("add [model]")
    .description(asTyped("Append a fallback: `hermes fallback add provider/name`; asks if no name is given"))
    .action(on(async (call, name) => (await import("../commands/setup/fallback.ts")).addFallback(call, name)));
  fallback
    .command("remove [which]")
    .alias("rm")
    .description("Remove a fallback by number or name")
    .action(on(async (call, which) => (await import("../commands/setup/fallback.ts")).removeFallback(call, which)));
  fallback
    .command("clear")
    .description("Remove all fallbacks")
    .action(on(async (call) => (await import("../commands/setup/fallback.ts")).clearFallbacks(call)));
  program
    .command("auth [name] [words...]")
    .description("Sign in to a service, show the status, or sign out")
    .allowUnknownOption()
    .action(on(async (call, name, words) => (await import("../commands/setup/auth.ts")).auth(call, name, words)));
  const memory = program
    .command("memory")
    .description("Show and choose the provider that stores memories across sessions");
  memory
    .command("status", { isDefault: true })
    .description("Show the active provider, and whether it is available")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/plugins/memory.ts")).memoryStatus(call, options)));
  memory
    .command("setup [provider]")
    .description("Choose a provider")
    .action(on(async (call, name) => (await import("../commands/plugins/memory.ts")).memorySetup(call, name)));
  memory
    .command("off")
    .description("Stop using a memory provider")
    .action(on(async (call) => (await import("../commands/plugins/memory.ts")).memoryOff(call)));
  const gateway = program.command("gateway").description("Connect the agent to chat platforms");
  gateway
    .command("run", { isDefault: true })
    .description("Run the gateway in the foreground until it is stopped")
    .action(on(async (call) => (await import("../commands/gateway.ts")).runGatewayHere(call)));
  gateway
    .command("status")
    .description("Show whether the gateway runs, and what each platform needs")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/gateway.ts")).showGateway(call, options)));
  gateway
    .command("install")
    .description("Install the gateway as a systemd user service")
    .action(on(async (call) => (await import("../commands/gateway.ts")).installGateway(call)));
  gateway
    .command("uninstall")
    .description("Stop and remove the service")
    .action(on(async (call) => (await import("../commands/gateway.ts")).uninstallGateway(call)));
  for (const [verb, does] of [
    ["start", "Start the installed service"],
    ["stop", "Stop the service, or a gateway in the foreground, after running turns finish"],
    ["restart", "Restart the installed service"],
  ] as const) {
    gateway
      .command(verb)
      .description(does)
      .action(on(async (call) => (await import("../commands/gateway.ts")).reportGateway(call, verb)));
  }
  const pairing = program.command("pairing").description("Give chat users access with a pairing code");
  pairing
    .command("list", { isDefault: true })
    .description("List pending pairing requests and users with access")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/gateway.ts")).listPairings(call, options)));
  pairing
    .command("approve <platform> <code>")
    .description("Approve the pairing request with this code")
    .action(
      on(async (call, platform, code) => (await import("../commands/gateway.ts")).approvePairing(call, platform, code)),
    );
  pairing
    .command("revoke <platform> <user>")
    .description("Revoke a user's access")
    .action(
      on(async (call, platform, user) => (await import("../commands/gateway.ts")).revokePairing(call, platform, user)),
    );
  pairing
    .command("clear-pending")
    .description("Delete all pending pairing requests")
    .action(on(async (call) => (await import("../commands/gateway.ts")).clearPairings(call)));
  program
    .command("dashboard")
    .description("Show sessions, settings, keys, plugins, jobs and logs in a browser")
    .option("--host <address>", "Address to listen on", "127.0.0.1")
    .option("--port <n>", "Port to listen on; 0 picks a free port", "9119")
    .option("--no-open", "Do not open a browser")
    .option("--insecure", "Allow an address that other machines can reach, without TLS")
    .option("--tui", "Add a chat tab with the terminal interface")
    .action(on(async (call, options) => (await import("../commands/dashboard.ts")).dashboard(call, options)));
  program
    .command("acp")
    .description("Serve an editor over stdin and stdout (Agent Client Protocol); editors run this")
    .option("--check", "Check whether an editor can start it, then exit")
    .option("--setup", "Choose a model and enter its key, step by step")
    .action(on(async (call, options) => (await import("../commands/acp.ts")).acp(call, options)));
  program
    .command("doctor")
    .description("Check the installation; changes nothing")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await import("../commands/doctor.ts")).doctor(call, options)));
  const safety = program
    .command("safety")
    .description("Print the safety verdict for commands, URLs, paths or skills: reads and writes JSON lines");
  for (const [kind, line, verdict] of SAFETY)
    safety
      .command(kind)
      .description(`Read lines of ${line} and print ${verdict}`)
      .action(on(async (call) => (await import("../commands/safety.ts")).safety(call, kind)));
  program
    .command("logs [name]")
    .description("Print the agent's log: agent or errors")
    .option("-n, --lines <n>", "Number of lines", "50")
    .option("--level <level>", "Minimum level: debug, info, warning or error")
    .option("-f, --follow", "Keep printing new lines")
    .option("--json", "Print JSON lines")
    .action(on(async (call, name, options) => (await import("../commands/logs.ts")).logs(call, name, options)));
  program
    .command("version")
    .description("Print the version")
    .action(on(async ({ io }) => io.out(`${version()}\n`)));
  program
    .command("completion <shell>")
    .description("Print a completion script for bash, zsh or fish")
    .addHelpText("after", COMPLETION_HELP)
    .action(on(async (call, shell) => (await import("../commands/completion.ts")).completion(call, shell, program)));
}

/** The subcommands of `hermes safety`: name, input line, verdicts. */
const SAFETY = [
  ["commands", '{"id", "command", "cwd"?, "home"?}', "allow, ask or block"],
  ["urls", '{"id", "url", "resolve"?, "redirects"?, "secrets"?}', "allowed or blocked"],
  ["paths", '{"id", "path", "operation": "read" or "write", "workspace"}', "allowed or blocked"],
  ["skill", '{"id", "files": {path: text}} or {"id", "path": folder}', "safe, caution or dangerous"],
] as const;

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
    .option("--provider <id>", "Provider for this run")
    .option("-t, --toolsets <names>", "Toolsets for this run, comma-separated")
    .option("--disable-toolsets <names>", "Toolsets to exclude from this run")
    .option("--terminal <name>", "Terminal backend for this run: local, docker, ssh, …")
    .option("--max-turns <n>", "Maximum model requests in this run, plus one for a summary")
    .option("-c, --continue [title]", "Resume the latest session, or the one with this title")
    .option("-r, --resume <session>", "Resume this session (id, start of an id, or title)")
    .option("--yolo", "Do not ask for approval; hard blocks still apply (HERMES_YOLO_MODE=1)")
    .option("--ignore-rules", "Do not read AGENTS.md and similar files (HERMES_IGNORE_RULES=1)")
    .option("--tui", "Use the whole screen, with a scrolling conversation (display.interface)")
    .option("--no-tui", "Use the terminal's scrollback")
    .option("--source <tag>", "Surface to list the session under", "cli");
}
