import type { Command } from "commander";
import type { On } from "./call.ts";

const FROM = `
FROM is one of:
  owner/repo                a GitHub repository; owner/repo/sub/folder selects a folder in it
  https://…, git@…, file:// any git repository; a trailing #sub/folder selects a folder in it
  ./folder                  a local folder
  ./plugin.tar.gz           an archive
  npm:NAME[@VERSION]        an npm package with "hermes": { "plugin": … }; its scripts are not run
  pypi:NAME[==VERSION]      a Python package with a hermes_agent.plugins entry point, in a separate virtual environment`;

/** `hermes plugins …`: names and help. Each action's code loads when it runs. */
export function addPluginCommandTree(program: Command, on: On): void {
  const plugins = program.command("plugins").description("List, install, enable, check and write plugins");
  addUserCommands(plugins, on);
  addAuthorCommands(plugins, on);
}

/** Commands for users of plugins: what is there, what runs, and what it may do. */
function addUserCommands(plugins: Command, on: On): void {
  plugins
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List every plugin, its state and what it registers")
    .option("--json", "Print JSON")
    .option("--enabled", "List only enabled plugins")
    .option("--user", "Leave out the bundled plugins")
    .action(on(async (call, options) => (await import("../commands/plugins/plugins.ts")).listPlugins(call, options)));
  plugins
    .command("info <name>")
    .description("Show a plugin's source, the permissions it requests and what it registers")
    .option("--json", "Print JSON")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins.ts")).pluginInfo(call, name, options),
      ),
    );
  plugins
    .command("install <from>")
    .description("Download a plugin, show the permissions it requests, and pin its version")
    .option("--ref <ref>", "Branch, tag or commit of a git repository")
    .option("-f, --force", "Replace an existing plugin of this name")
    .option("--enable", "Enable the plugin immediately")
    .option("--no-enable", "Do not ask whether to enable it")
    .option("-y, --yes", "Do not ask whether to install it")
    .option("--build", "Build Python packages that have no wheel, which runs their code")
    .option("--json", "Print JSON")
    .addHelpText("after", FROM)
    .action(
      on(async (call, from, options) =>
        (await import("../commands/plugins/plugins-install.ts")).installPlugin(call, from, options),
      ),
    );
  plugins
    .command("update [name]")
    .description("Update installed plugins; asks you before one gets more permissions")
    .option("-y, --yes", "Grant the permissions it requests")
    .option("--build", "Build Python packages that have no wheel, which runs their code")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins-install.ts")).updatePlugins(call, name, options),
      ),
    );
  plugins
    .command("remove <name>")
    .aliases(["rm", "uninstall"])
    .description("Delete a plugin and its settings in config.yaml")
    .option("-y, --yes", "Do not ask for confirmation")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins-install.ts")).removePlugin(call, name, options),
      ),
    );
  plugins
    .command("enable <name>")
    .description("Load a plugin from the next start on")
    .option("--allow-tool-override", "Allow it to replace built-in tools")
    .option("-y, --yes", "Install the packages it needs without asking")
    .option("--build", "Build Python packages that have no wheel, which runs their code")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins.ts")).enablePlugin(call, name, options),
      ),
    );
  plugins
    .command("disable <name>")
    .description("Stop loading a plugin")
    .action(on(async (call, name) => (await import("../commands/plugins/plugins.ts")).disablePlugin(call, name)));
  plugins
    .command("grant <name> <tool...>")
    .description("Allow a plugin from elsewhere to call tools; risky calls still ask")
    .action(
      on(async (call, name, tools) =>
        (await import("../commands/plugins/plugins.ts")).decideTools(call, name, tools, "allow"),
      ),
    );
  plugins
    .command("revoke <name> [tool...]")
    .description("Stop a plugin from calling tools until you are asked again; without tools, all it may call")
    .option("--never", "Deny the calls without asking again")
    .action(
      on(async (call, name: string, tools: readonly string[], options: { readonly never?: boolean }) =>
        (await import("../commands/plugins/plugins.ts")).decideTools(
          call,
          name,
          tools,
          options.never === true ? "never" : "ask",
        ),
      ),
    );
}

/** Commands that find out why a plugin does not work, and commands for its author. */
function addAuthorCommands(plugins: Command, on: On): void {
  plugins
    .command("check [name]")
    .description("Check one plugin (name or folder) or all; exits with an error if any has a problem")
    .option("--json", "Print JSON")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins-author.ts")).checkPlugins(call, name, options),
      ),
    );
  plugins
    .command("why <tool>")
    .description("Explain why a tool is offered or not")
    .option("--platform <name>", "Platform to explain", "cli")
    .option("--json", "Print JSON")
    .action(
      on(async (call, tool, options) => (await import("../commands/plugins/plugins.ts")).whyTool(call, tool, options)),
    );
  plugins
    .command("new <name>")
    .description("Create a working plugin: manifest, code, README, tests")
    .option("--python", "Write the plugin in Python")
    .option("--dir <folder>", "Parent folder; default: plugins in the Hermes home")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins-author.ts")).newPlugin(call, name, options),
      ),
    );
  plugins
    .command("test <name>")
    .description(
      "Test a plugin's handlers with recorded calls, faults, denials and cancellation; report its schemas' tokens",
    )
    .option("--session <id>", "Also replay the calls of this session")
    .option("--json", "Print JSON")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins-author.ts")).testPlugin(call, name, options),
      ),
    );
  plugins
    .command("dev [folder]")
    .description("Talk to the agent while developing a plugin; reloads it on each change and keeps the session")
    .action(
      on(async (call, folder) => (await import("../commands/plugins/plugins-author.ts")).developPlugin(call, folder)),
    );
}
