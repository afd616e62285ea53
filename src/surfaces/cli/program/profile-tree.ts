import type { Command } from "commander";
import type { On } from "./call.ts";

const COMMANDS = () => import("../commands/home/profile.ts");

/** `hermes profile …` */
export function addProfileCommandTree(program: Command, on: On): void {
  const profile = program
    .command("profile")
    .description("List, create, choose, copy and delete profiles (separate homes)");
  profile
    .command("list", { isDefault: true })
    .description("List the profiles, with the one in use and the default")
    .option("--json", "Print JSON")
    .action(on(async (call, options) => (await COMMANDS()).listProfiles(call, options)));
  profile
    .command("show [name]")
    .description("Show a profile: home, model, gateway, skills, alias")
    .option("--json", "Print JSON")
    .action(on(async (call, name, options) => (await COMMANDS()).showProfile(call, name, options)));
  profile
    .command("create <name>")
    .description("Create a profile, empty or as a copy, and a command with its name")
    .option("--clone", "Copy settings, keys, SOUL.md, memories and skills of the profile in use")
    .option("--clone-all", "Copy everything but sessions")
    .option("--clone-from <profile>", "Copy from this profile; implies --clone")
    .option("--no-alias", "Create no command in ~/.local/bin")
    .option("--no-skills", "Install no bundled skills")
    .option("--description <text>", "Describe what the profile is for")
    .option("--json", "Print JSON")
    .action(on(async (call, name, options) => (await COMMANDS()).createProfile(call, name, options)));
  profile
    .command("use <name>")
    .description("Make a profile the default for commands without -p")
    .option("--json", "Print JSON")
    .action(on(async (call, name, options) => (await COMMANDS()).useProfile(call, name, options)));
  profile
    .command("describe <name>")
    .description("Show or set the description of a profile")
    .option("--text <text>", "Set this description")
    .action(on(async (call, name, options) => (await COMMANDS()).describeProfile(call, name, options)));
  profile
    .command("rename <name> <new-name>")
    .description("Rename a profile; its home and its commands move with it")
    .option("--json", "Print JSON")
    .action(on(async (call, name, to, options) => (await COMMANDS()).renameProfile(call, name, to, options)));
  profile
    .command("delete <name>")
    .description("Delete a profile with its sessions, keys and memories, permanently")
    .option("-y, --yes", "Do not ask for confirmation")
    .option("--json", "Print JSON")
    .action(on(async (call, name, options) => (await COMMANDS()).deleteProfile(call, name, options)));
  profile
    .command("alias <name>")
    .description("Create a command in ~/.local/bin that starts Hermes with this profile")
    .option("--name <alias>", "Name of the command (default: the name of the profile)")
    .option("--remove", "Delete the command instead")
    .action(on(async (call, name, options) => (await COMMANDS()).aliasProfile(call, name, options)));
  profile
    .command("export <name>")
    .description("Save a profile in one file, without keys")
    .option("-o, --output <file>", "Path of the new file (default: NAME.zip)")
    .option("--json", "Print JSON")
    .action(on(async (call, name, options) => (await COMMANDS()).exportProfile(call, name, options)));
  profile
    .command("import <file>")
    .description("Create a profile from an exported file, of this version or of the original")
    .option("--name <name>", "Name of the profile (default: the one in the file)")
    .option("--json", "Print JSON")
    .action(on(async (call, file, options) => (await COMMANDS()).importProfile(call, file, options)));
}
