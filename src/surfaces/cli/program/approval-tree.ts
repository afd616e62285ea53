import { Option, type Command } from "commander";
import type { On } from "./call.ts";

/** `hermes approvals …` */
export function addApprovalCommandTree(program: Command, on: On): void {
  const approvals = program
    .command("approvals")
    .description("Show, explain and test the rules that allow or deny commands");
  const more = (value: string, before: readonly string[] | undefined): readonly string[] => [...(before ?? []), value];
  approvals
    .command("list", { isDefault: true })
    .description("List the rules that allow or deny commands, with the source of each rule")
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
}
