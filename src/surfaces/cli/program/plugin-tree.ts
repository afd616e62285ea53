import type { Command } from "commander";
import type { On } from "./call.ts";

const FROM = `
FROM is one of
  owner/repo                a repository on GitHub; owner/repo/sub/folder for a folder in it
  https://…, git@…, file:// any git repository; #sub/folder behind it for a folder in it
  ./folder                  a folder of this machine
  ./plugin.tar.gz           an archive
  npm:NAME[@VERSION]        a package with "hermes": { "plugin": … }, its scripts not run
  pypi:NAME[==VERSION]      a Python package with an entry point in hermes_agent.plugins, in an environment of its own`;

/** `hermes plugins …`: words and help. Each action's code is loaded when it runs. */
export function addPluginCommandTree(program: Command, on: On): void {
  const plugins = program.command("plugins").description("find, install, check, write and switch plugins");
  plugins
    .command("list", { isDefault: true })
    .alias("ls")
    .description("every plugin found, its state and what it registers")
    .option("--json", "as JSON")
    .option("--enabled", "enabled ones only")
    .option("--user", "without the bundled ones")
    .action(on(async (call, options) => (await import("../commands/plugins/plugins.ts")).listPlugins(call, options)));
  plugins
    .command("info <name>")
    .description("where it came from, what it asks for and what it registers")
    .option("--json", "as JSON")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins.ts")).pluginInfo(call, name, options),
      ),
    );
  plugins
    .command("install <from>")
    .description("fetch a plugin, show what it asks for, and pin what was fetched")
    .option("--ref <ref>", "branch, tag or commit of a git repository")
    .option("-f, --force", "take the place of what lies there")
    .option("--enable", "enable it at once")
    .option("--no-enable", "do not ask whether to enable it")
    .option("-y, --yes", "do not ask whether to install it")
    .option("--build", "build Python packages that have no wheel: that runs their code")
    .option("--json", "as JSON")
    .addHelpText("after", FROM)
    .action(
      on(async (call, from, options) =>
        (await import("../commands/plugins/plugins-install.ts")).installPlugin(call, from, options),
      ),
    );
  plugins
    .command("update [name]")
    .description("fetch installed plugins again; one that asks for more needs a yes")
    .option("-y, --yes", "agree to what it asks for")
    .option("--build", "build Python packages that have no wheel: that runs their code")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins-install.ts")).updatePlugins(call, name, options),
      ),
    );
  plugins
    .command("remove <name>")
    .aliases(["rm", "uninstall"])
    .description("delete it and what config.yaml says of it")
    .option("-y, --yes", "do not ask")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins-install.ts")).removePlugin(call, name, options),
      ),
    );
  plugins
    .command("enable <name>")
    .description("load it from the next start on")
    .option("--allow-tool-override", "agree that it replaces built-in tools")
    .option("-y, --yes", "install the Python packages that it needs without asking")
    .option("--build", "build Python packages that have no wheel: that runs their code")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins.ts")).enablePlugin(call, name, options),
      ),
    );
  plugins
    .command("disable <name>")
    .description("do not load it any more")
    .action(on(async (call, name) => (await import("../commands/plugins/plugins.ts")).disablePlugin(call, name)));
  plugins
    .command("check [name]")
    .description("what is wrong with a plugin (a name or a folder), or with all; fails when anything is")
    .option("--json", "as JSON")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins-author.ts")).checkPlugins(call, name, options),
      ),
    );
  plugins
    .command("why <tool>")
    .description("why a tool is offered, or is not")
    .option("--platform <name>", "on this platform", "cli")
    .option("--json", "as JSON")
    .action(
      on(async (call, tool, options) => (await import("../commands/plugins/plugins.ts")).whyTool(call, tool, options)),
    );
  plugins
    .command("new <name>")
    .description("a folder with a plugin that works: manifest, code, README, tests")
    .option("--python", "in Python")
    .option("--dir <folder>", "where the folder is made; default: the home's plugins")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins-author.ts")).newPlugin(call, name, options),
      ),
    );
  plugins
    .command("test <name>")
    .description("run a plugin's handlers: recorded calls, faults, refusal, cancel; and what its schemas cost")
    .option("--session <id>", "also with the calls of this session")
    .option("--json", "as JSON")
    .action(
      on(async (call, name, options) =>
        (await import("../commands/plugins/plugins-author.ts")).testPlugin(call, name, options),
      ),
    );
  plugins
    .command("dev [folder]")
    .description("talk to the agent while a plugin's folder is watched: each change is loaded, the session stays")
    .action(
      on(async (call, folder) => (await import("../commands/plugins/plugins-author.ts")).developPlugin(call, folder)),
    );
}
