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
 * The tree of commands. Only words and help live here; each action's code is loaded when it runs. The reference page is made from it.
 * @param only Leaves the others out, for the start that scripts make most: `hermes chat …`.
 */
export function buildProgram(
  wrap: (action: (call: Call, ...given: unknown[]) => Promise<number | void>) => (...given: unknown[]) => Promise<void>,
  only?: "chat",
): Command {
  const on = (action: Action) => wrap(action as (call: Call, ...given: unknown[]) => Promise<number | void>);
  const program = new Command(asTyped("hermes"))
    .description("A self-hosted AI agent you can trust with your machine.")
    .version(version(), "-V, --version")
    .option("-p, --profile <name>", "use the profile of this name (a home of its own)")
    .option("--ignore-user-config", "built-in defaults instead of config.yaml; keys in .env still load")
    .option("--safe-mode", "built-in defaults and no plugins but the bundled ones")
    .option("--accept-hooks", "agree to the shell hooks of config.yaml without being asked (HERMES_ACCEPT_HOOKS=1)")
    .showSuggestionAfterError(false)
    .configureOutput({ writeOut, writeErr: writeNote, outputError: () => {} })
    .exitOverride()
    .configureHelp({ sortSubcommands: false, minWidthToWrap: 20, subcommandTerm: termOf });

  chatOptions(
    program.command("chat", { isDefault: true }).description("talk to the agent, or run one turn with -q"),
  ).action(on(async (call, options) => (await import("../commands/chat.ts")).chat(call, options)));

  if (only === undefined) addServices(program, on);
  addHelpTexts(program);
  for (const command of [program, ...program.commands, ...program.commands.flatMap((each) => each.commands)])
    command.exitOverride();
  return program;
}

/** The whole list names commands only: what each takes is in its own help, and the words about it need the room. */
function termOf(command: Command): string {
  return command.parent?.parent === null
    ? [command.name(), ...command.aliases()].join("|")
    : new Help().subcommandTerm(command);
}

/** Everything beside talking: what a person asks of tools, sessions, plugins, settings, models and the installation. */
function addServices(program: Command, on: On): void {
  const tools = program.command("tools").description("list, show, call and switch tools");
  tools
    .command("list", { isDefault: true })
    .description("every tool, whether it is offered, and why not")
    .option("--json", "as JSON")
    .option("--platform <name>", "for this platform", "cli")
    .action(on(async (call, options) => (await import("../commands/plugins/tools.ts")).listTools(call, options)));
  tools
    .command("show <tool>")
    .description("one tool's schema, owner and needs")
    .option("--json", "as JSON")
    .action(
      on(async (call, name, options) => (await import("../commands/plugins/tools.ts")).showTool(call, name, options)),
    );
  tools
    .command("call <tool> [arguments]")
    .description("call a tool by the same road as a model: checks, approval, limits; - reads its arguments from stdin")
    .option("--json", "the outcome as JSON")
    .option("--yolo", "do not ask for approval (the hard floor stays)")
    .action(
      on(async (call, name, args, options) =>
        (await import("../commands/plugins/tools.ts")).callTool(call, name, args, options),
      ),
    );
  for (const verb of ["enable", "disable"] as const) {
    tools
      .command(`${verb} <names...>`)
      .description(`${verb} toolsets or tools, kept in config.yaml`)
      .option("--json", "as JSON")
      .option("--platform <name>", "for this platform", "cli")
      .action(
        on(async (call, names, options) =>
          (await import("../commands/plugins/tools.ts")).switchTools(call, verb, names, options),
        ),
      );
  }

  const sessions = program.command("sessions").description("past conversations");
  sessions
    .command("list", { isDefault: true })
    .description("newest first")
    .option("--json", "as JSON")
    .option("--limit <n>", "how many", "20")
    .option("--source <surface>", "of this surface only")
    .action(on(async (call, options) => (await import("../commands/sessions.ts")).listSessions(call, options)));
  sessions
    .command("show <session>")
    .description("the conversation, as it was")
    .option("--json", "its facts as JSON, one a line")
    .action(on(async (call, id, options) => (await import("../commands/sessions.ts")).showSession(call, id, options)));
  sessions
    .command("search <words...>")
    .description("by words, newest first")
    .option("--json", "as JSON")
    .option("--limit <n>", "how many", "20")
    .action(
      on(async (call, words, options) =>
        (await import("../commands/sessions.ts")).searchSessions(call, words, options),
      ),
    );
  sessions
    .command("rename <session> <title...>")
    .description("give it a title")
    .action(on(async (call, id, title) => (await import("../commands/sessions.ts")).renameSession(call, id, title)));
  sessions
    .command("branch <session>")
    .description("a copy that goes its own way")
    .option("--at <seq>", "up to this fact")
    .action(
      on(async (call, id, options) => (await import("../commands/sessions.ts")).branchSession(call, id, options)),
    );
  sessions
    .command("export <session> [file]")
    .description("write it as Markdown or JSON lines")
    .addOption(new Option("--format <format>", "how; else by the file's ending, or md").choices(["md", "jsonl"]))
    .action(
      on(async (call, id, file, options) =>
        (await import("../commands/sessions.ts")).exportSession(call, id, file, options),
      ),
    );
  sessions
    .command("import [file]")
    .description("take over sessions of the Python original; its file stays as it is")
    .action(on(async (call, file) => (await import("../commands/sessions.ts")).importSessions(call, file)));
  sessions
    .command("delete <session>")
    .description("remove it for good")
    .option("-y, --yes", "do not ask")
    .action(
      on(async (call, id, options) => (await import("../commands/sessions.ts")).deleteSession(call, id, options)),
    );
  sessions
    .command("prune")
    .description("remove old ones")
    .option("--older-than <days>", "last used this many days ago", "90")
    .option("--dry-run", "only say which")
    .option("-y, --yes", "do not ask")
    .action(on(async (call, options) => (await import("../commands/sessions.ts")).pruneSessions(call, options)));

  const approvals = program.command("approvals").description("what may run, asked before anything does");
  const more = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];
  approvals
    .command("list", { isDefault: true })
    .description("the rules that allow and deny, and where they come from")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/approvals.ts")).listRules(call, options)));
  approvals
    .command("explain <command>")
    .description("what a shell command would do, who would answer for it, and what would make it pass; runs nothing")
    .option("--cwd <folder>", "as if run there")
    .option("--platform <name>", "as asked from this platform", "cli")
    .option("--json", "as JSON")
    .action(
      on(async (call, command, options) =>
        (await import("../commands/approvals.ts")).explainCommand(call, command, options),
      ),
    );
  approvals
    .command("revoke <rule>")
    .description("take a rule out of config.yaml")
    .action(on(async (call, rule) => (await import("../commands/approvals.ts")).revokeRule(call, rule)));
  approvals
    .command("test [file]")
    .description("hold `allow|ask|block COMMAND` lines and the rules' own examples against the policy")
    .option("--cwd <folder>", "as if run there")
    .option("--platform <name>", "as asked from this platform", "cli")
    .option("--json", "as JSON")
    .action(
      on(async (call, file, options) => (await import("../commands/approvals.ts")).testPolicy(call, file, options)),
    );
  approvals
    .command("what-if")
    .description("which commands of past sessions another policy would answer otherwise")
    .addOption(new Option("--mode <mode>", "with this approvals.mode").choices(["manual", "smart", "off", "deny"]))
    .option("--allow <rule>", "with this rule in command_allowlist; may be repeated", more)
    .option("--deny <rule>", "with this rule in approvals.deny; may be repeated", more)
    .option("--without <rule>", "without this rule; may be repeated", more)
    .option("--sessions <n>", "the newest sessions", "50")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/approvals.ts")).whatIf(call, options)));

  const hooks = program
    .command("hooks")
    .description("commands of config.yaml and handlers of ~/.hermes/hooks that run when something happens");
  hooks
    .command("list", { isDefault: true })
    .alias("ls")
    .description("every hook, and whether it may run")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/plugins/hooks.ts")).listHooks(call, options)));
  hooks
    .command("test <event>")
    .description("run the shell hooks of this event with a sample, agreed to or not")
    .option("--for-tool <name>", "as for a call of this tool")
    .option("--payload-file <file>", "with the keys of this JSON file")
    .option("--json", "as JSON")
    .action(
      on(async (call, event, options) =>
        (await import("../commands/plugins/hooks.ts")).testHooks(call, event, options),
      ),
    );
  hooks
    .command("revoke <command>")
    .alias("remove")
    .alias("rm")
    .description("a shell hook does not run any more until somebody agrees to it again")
    .action(on(async (call, command) => (await import("../commands/plugins/hooks.ts")).revokeHook(call, command)));
  hooks
    .command("doctor")
    .description("whether each hook can run, and what it answers")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/plugins/hooks.ts")).doctorHooks(call, options)));

  addPluginCommandTree(program, on);
  addCronCommandTree(program, on);
  addBatchCommandTree(program, on);

  const config = program.command("config").description("read and change config.yaml");
  config
    .command("show", { isDefault: true })
    .description("every setting that differs from its default")
    .option("--all", "defaults too")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/config.ts")).showConfig(call, options)));
  config
    .command("get <key>")
    .description("one value")
    .option("--json", "as JSON")
    .action(on(async (call, key, options) => (await import("../commands/config.ts")).getConfig(call, key, options)));
  config
    .command("set <key> <value>")
    .description("change one value; comments stay")
    .action(on(async (call, key, value) => (await import("../commands/config.ts")).setConfig(call, key, value)));
  config
    .command("unset <key>")
    .description("back to the default")
    .action(on(async (call, key) => (await import("../commands/config.ts")).unsetConfig(call, key)));
  config
    .command("explain <key>")
    .description("where a value comes from and what is allowed")
    .action(on(async (call, key) => (await import("../commands/config.ts")).explainConfig(call, key)));
  config
    .command("path")
    .description("where config.yaml is")
    .action(on(async (call) => (await import("../commands/config.ts")).configPath(call)));
  config
    .command("env-path")
    .description("where .env is")
    .action(on(async (call) => (await import("../commands/config.ts")).envPath(call)));
  config
    .command("check")
    .description("name every mistake in config.yaml, and what is not used")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/config.ts")).checkConfig(call, options)));
  config
    .command("edit")
    .description("open it in $EDITOR")
    .action(on(async (call) => (await import("../commands/config.ts")).editConfig(call)));

  const terminals = program.command("terminals").description("the places where commands can run");
  terminals
    .command("list", { isDefault: true })
    .description("every backend, whether it can be used, and why not")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/terminals.ts")).listTerminals(call, options)));
  terminals
    .command("check [name]")
    .description("run a command in each, or in one; says what to do where it fails")
    .option("--json", "as JSON")
    .action(
      on(async (call, name, options) => (await import("../commands/terminals.ts")).checkTerminals(call, name, options)),
    );

  program
    .command("model [model]")
    .description(asTyped("show or choose the model: `hermes model provider/name`"))
    .option("--base-url <url>", "of an OpenAI-compatible server")
    .option("--api-key <key>", "stored in .env, never in config.yaml")
    .option("--list", "what the provider serves")
    .action(on(async (call, name, options) => (await import("../commands/setup/model.ts")).model(call, name, options)));
  program
    .command("setup [section]")
    .description("model, terminal, agent, tools with their keys, and media, step by step")
    .option("--quick", "only what is missing")
    .option("--non-interactive", "ask nothing; say what is set and what is missing")
    .option("--reset", "begin with the defaults")
    .action(
      on(async (call, section, options) => (await import("../commands/setup/setup.ts")).setup(call, section, options)),
    );
  const fallback = program.command("fallback").description("who answers when the model fails for good");
  fallback
    .command("list", { isDefault: true })
    .alias("ls")
    .description("in order")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/setup/fallback.ts")).listFallbacks(call, options)));
  fallback
    .command("add [model]")
    .description(asTyped("at the end: `hermes fallback add provider/name`; asks without a name"))
    .action(on(async (call, name) => (await import("../commands/setup/fallback.ts")).addFallback(call, name)));
  fallback
    .command("remove [which]")
    .alias("rm")
    .description("by number or name")
    .action(on(async (call, which) => (await import("../commands/setup/fallback.ts")).removeFallback(call, which)));
  fallback
    .command("clear")
    .description("all of them")
    .action(on(async (call) => (await import("../commands/setup/fallback.ts")).clearFallbacks(call)));
  program
    .command("auth [name] [words...]")
    .description("accounts of services: sign in, see whether somebody is, sign out")
    .allowUnknownOption()
    .action(on(async (call, name, words) => (await import("../commands/setup/auth.ts")).auth(call, name, words)));
  const memory = program.command("memory").description("which provider keeps memories across sessions");
  memory
    .command("status", { isDefault: true })
    .description("the one in use, and whether it can be used")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/plugins/memory.ts")).memoryStatus(call, options)));
  memory
    .command("setup [provider]")
    .description("choose one")
    .action(on(async (call, name) => (await import("../commands/plugins/memory.ts")).memorySetup(call, name)));
  memory
    .command("off")
    .description("none")
    .action(on(async (call) => (await import("../commands/plugins/memory.ts")).memoryOff(call)));
  const gateway = program.command("gateway").description("serve chats: messages in, answers out");
  gateway
    .command("run", { isDefault: true })
    .description("here, until it is stopped")
    .action(on(async (call) => (await import("../commands/gateway.ts")).runGatewayHere(call)));
  gateway
    .command("status")
    .description("whether it runs, every platform, and what each lacks")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/gateway.ts")).showGateway(call, options)));
  gateway
    .command("install")
    .description("as a service of your own systemd")
    .action(on(async (call) => (await import("../commands/gateway.ts")).installGateway(call)));
  gateway
    .command("uninstall")
    .description("stop and remove that service")
    .action(on(async (call) => (await import("../commands/gateway.ts")).uninstallGateway(call)));
  for (const [verb, does] of [
    ["start", "start the installed service"],
    ["stop", "stop it, or what runs in a terminal; turns that run are waited for"],
    ["restart", "stop and start the installed service"],
  ] as const) {
    gateway
      .command(verb)
      .description(does)
      .action(on(async (call) => (await import("../commands/gateway.ts")).reportGateway(call, verb)));
  }
  const pairing = program.command("pairing").description("let strangers of a chat in by a code");
  pairing
    .command("list", { isDefault: true })
    .description("who waits and who was let in")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/gateway.ts")).listPairings(call, options)));
  pairing
    .command("approve <platform> <code>")
    .description("let the stranger in who was given this code")
    .action(
      on(async (call, platform, code) => (await import("../commands/gateway.ts")).approvePairing(call, platform, code)),
    );
  pairing
    .command("revoke <platform> <user>")
    .description("not any more")
    .action(
      on(async (call, platform, user) => (await import("../commands/gateway.ts")).revokePairing(call, platform, user)),
    );
  pairing
    .command("clear-pending")
    .description("forget every code that waits")
    .action(on(async (call) => (await import("../commands/gateway.ts")).clearPairings(call)));
  program
    .command("dashboard")
    .description("sessions, settings, keys, plugins, jobs and logs in a browser, until it is stopped")
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .option("--port <n>", "0 takes a free one", "9119")
    .option("--no-open", "do not open a browser")
    .option("--insecure", "listen on an address that others reach, without TLS")
    .option("--tui", "with a chat tab: the terminal interface")
    .action(on(async (call, options) => (await import("../commands/dashboard.ts")).dashboard(call, options)));
  program
    .command("acp")
    .description("serve an editor over stdin and stdout (Agent Client Protocol); editors start this")
    .option("--check", "say whether it can be started, and end")
    .option("--setup", "choose a model and give its key, step by step")
    .action(on(async (call, options) => (await import("../commands/acp.ts")).acp(call, options)));
  program
    .command("doctor")
    .description("check the installation; changes nothing")
    .option("--json", "as JSON")
    .action(on(async (call, options) => (await import("../commands/doctor.ts")).doctor(call, options)));
  const safety = program
    .command("safety")
    .description(
      "what would be said of commands, URLs, paths and skills, for tests and scripts: JSON lines in, JSON lines out",
    );
  for (const [kind, line, verdict] of SAFETY)
    safety
      .command(kind)
      .description(`stdin: ${line} → ${verdict}`)
      .action(on(async (call) => (await import("../commands/safety.ts")).safety(call, kind)));
  program
    .command("logs [name]")
    .description("the agent's log: agent or errors")
    .option("-n, --lines <n>", "how many", "50")
    .option("--level <level>", "this level and above: debug, info, warning, error")
    .option("-f, --follow", "go on as it grows")
    .option("--json", "as JSON lines")
    .action(on(async (call, name, options) => (await import("../commands/logs.ts")).logs(call, name, options)));
  program
    .command("version")
    .description("the version of this program")
    .action(on(async ({ io }) => io.out(`${version()}\n`)));
  program
    .command("completion <shell>")
    .description("a script that completes commands and options: bash, zsh or fish")
    .addHelpText("after", COMPLETION_HELP)
    .action(on(async (call, shell) => (await import("../commands/completion.ts")).completion(call, shell, program)));
}

/** Questions of `hermes safety`, their lines and their verdicts. */
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
    .option("-q, --query <text>", "run one turn with this text and end; `-` reads it from stdin")
    .option("-Q, --quiet", "print the final answer only")
    .option("--json", "print every event as one JSON object a line")
    .option("-m, --model <name>", "model of this run, `provider/name` or a name")
    .option("--provider <id>", "provider of this run")
    .option("-t, --toolsets <names>", "toolsets of this run, comma-separated")
    .option("--disable-toolsets <names>", "toolsets to leave out of this run")
    .option("--terminal <name>", "place of this run's commands: local, docker, ssh, …")
    .option("--max-turns <n>", "model requests in this run at most, and one more that sums up")
    .option("-c, --continue [title]", "go on with the latest session, or the one of this title")
    .option("-r, --resume <session>", "go on with this session (id, start of an id, or title)")
    .option("--yolo", "do not ask for approval; what the hard floor blocks stays blocked (HERMES_YOLO_MODE=1)")
    .option("--ignore-rules", "do not read AGENTS.md and its kin (HERMES_IGNORE_RULES=1)")
    .option("--tui", "a full screen of its own, with a scrolling conversation (display.interface)")
    .option("--no-tui", "the terminal's own scrollback")
    .option("--source <tag>", "surface the session is listed under", "cli");
}
