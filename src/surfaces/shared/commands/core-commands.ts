import type { SlashCommand } from "../../../contract/conversation/command.ts";
import { INDICATORS, TOOL_PROGRESS } from "../display/display.ts";
import type { CoreSlashCommand, SlashHost } from "./slash-host.ts";

/** Commands that work only in the CLI, as in the Python Hermes. */
const CLI_ONLY = new Set([
  "snapshot",
  "tools",
  "toolsets",
  "config",
  "plugins",
  "busy",
  "indicator",
  "redraw",
  "clear",
  "history",
  "save",
  "copy",
  "quit",
  "statusbar",
  "reload",
  "verbose",
  "image",
  "paste",
  "skin",
  "platforms",
  "cron",
  "gquota",
]);

/**
 * The built-in slash commands: one table for every surface, its help, completion and menus. The names are the
 * original's. Each command's code loads when it is first used.
 */
export const CORE_COMMANDS: readonly CoreSlashCommand[] = [
  command("help", "List the commands", {
    run: async (_, host) => (await import("./show.ts")).help(host, coreCommands(host), pluginCommands(host)),
  }),
  command("new", "Start a new session", {
    aliases: ["reset"],
    needs: ["switchSession"],
    run: async (_, host) => (await import("./conversation.ts")).startNew(host),
  }),
  command("sessions", "List recent sessions", {
    run: async (_, host) => (await import("./conversation.ts")).recent(host),
  }),
  command("resume", "Resume a session", {
    argsHint: "[id or title]",
    needs: ["switchSession"],
    run: async (args, host) => (await import("./conversation.ts")).resume(args, host),
    complete: async (_, host) => (await import("./completions.ts")).sessions(host),
  }),
  command("branch", "Continue in a copy of this session", {
    aliases: ["fork"],
    argsHint: "[title]",
    needs: ["switchSession"],
    run: async (args, host) => (await import("./conversation.ts")).branch(args, host),
  }),
  command("retry", "Take back the last exchange and send its message again", {
    run: async (_, host) => (await import("./take-back.ts")).retry(host),
  }),
  command("undo", "Take back the last exchange, or the last N", {
    argsHint: "[N]",
    run: async (args, host) => (await import("./take-back.ts")).undo(args, host),
  }),
  command("title", "Show or set the session's title", {
    argsHint: "[title]",
    run: async (args, host) => (await import("./conversation.ts")).title(args, host),
  }),
  command("history", "Show this conversation", { run: async (_, host) => (await import("./show.ts")).history(host) }),
  command("save", "Save this conversation as a Markdown file", {
    argsHint: "[file]",
    run: async (args, host) => (await import("./conversation.ts")).save(args, host),
  }),
  command("queue", "Send a message after the current turn", {
    aliases: ["q"],
    argsHint: "<text>",
    run: async (args, host) => (await import("./conversation.ts")).sendLater(args, "queue", host),
  }),
  command("steer", "Send a message to the running turn, after its next tool call", {
    argsHint: "<text>",
    run: async (args, host) => (await import("./conversation.ts")).sendLater(args, "steer", host),
  }),
  command("compress", "Replace older messages with a summary, focused on a topic if given", {
    aliases: ["compact"],
    argsHint: "[topic]",
    run: async (args, host) => (await import("./conversation.ts")).compress(args, host),
  }),
  command("background", "Run a prompt in a separate session in the background", {
    aliases: ["bg", "btw"],
    argsHint: "<prompt>",
    needs: ["background"],
    run: async (args, host) => (await import("./agents.ts")).background(args, host),
  }),
  command("agents", "List subagents and background sessions, or stop one", {
    aliases: ["tasks"],
    argsHint: "[stop ID]",
    run: async (args, host) => (await import("./agents.ts")).agents(args, host),
    complete: async (_, host) => (await import("./agents.ts")).agentIds(host),
  }),
  command("goal", "Set a goal that the agent pursues over turns, or show, pause, resume or clear it", {
    argsHint: "[TEXT|show|pause|resume|clear|budget N]",
    needs: ["notify"],
    run: async (args, host) => (await import("./goal.ts")).goal(args, host),
    complete: () => ["show", "pause", "resume", "clear", "budget "],
  }),
  command("continue", "Resume an interrupted turn", {
    needs: ["carryOn"],
    run: async (_, host) => (await import("./conversation.ts")).carryOn(host),
  }),
  command("stop", "Stop the running turn", { run: async (_, host) => (await import("./conversation.ts")).stop(host) }),
  command("model", "Show or change the model", {
    argsHint: "[provider/name]",
    run: async (args, host) => (await import("./settings.ts")).model(args, host),
    complete: async (_, host) => (await import("./completions.ts")).models(host),
  }),
  command("tools", "List tools and switch them", {
    argsHint: "[list|enable NAME|disable NAME]",
    run: async (args, host) => (await import("./settings.ts")).tools(args, host),
    complete: async (args, host) => (await import("./completions.ts")).tools(args, host),
  }),
  command("toolsets", "List toolsets and switch them", {
    argsHint: "[list]",
    run: async (args, host) => (await import("./show.ts")).toolsets(args, host),
    complete: () => ["list"],
  }),
  command("plugins", "List plugins and what they register", {
    run: async (_, host) => (await import("./show.ts")).plugins(host),
  }),
  command("reload", "Reload plugins, .env and config.yaml; keeps the conversation", {
    run: async (_, host) => (await import("./settings.ts")).reload(host),
  }),
  command("snapshot", "List, create, restore or prune snapshots of settings, keys and conversations", {
    aliases: ["snap"],
    argsHint: "[create LABEL|restore ID|prune N]",
    run: async (args, host) => (await import("./snapshots.ts")).snapshot(args, host),
    complete: async (args, host) =>
      args.startsWith("restore ")
        ? (await host.app.snapshots.list()).map(({ id }) => `restore ${id}`)
        : ["create ", "restore ", "prune "],
  }),
  command("cron", "List, add, pause, resume, run or remove scheduled jobs", {
    argsHint: "[list|add|run|remove …]",
    run: async (args, host) => (await import("./cron.ts")).cron(args, host),
    complete: async (args, host) =>
      /^(?:pause|resume|run|remove|runs) /.test(args)
        ? (await (await host.app.jobs()).list()).map(({ id }) => `${args.split(" ")[0]} ${id}`)
        : ["list", 'add "', "pause ", "resume ", "run ", "remove ", "runs "],
  }),
  command("config", "Show settings that differ from their defaults", {
    run: async (_, host) => (await import("./show.ts")).config(host),
  }),
  command("usage", "Show the tokens and cost of this session", {
    run: async (_, host) => (await import("./show.ts")).usage(host),
  }),
  command("insights", "Show usage, costs and activity of the last days", {
    argsHint: "[days]",
    run: async (args, host) => (await import("./show.ts")).insights(args, host),
    complete: () => ["7", "30", "90"],
  }),
  command("cost", "Show what this conversation, today and the last 30 days cost", {
    argsHint: "[by GROUP [SINCE]]",
    run: async (args, host) => (await import("./cost.ts")).cost(args, host),
    complete: () => ["by day", "by model", "by session", "by tool", "by job", "by user", "by kind"],
  }),
  command("gquota", "Show the quota of a Google sign-in", {
    run: async (_, host) => (await import("./show.ts")).gquota(host),
  }),
  command("status", "Show model, session, folder and running turn", {
    run: async (_, host) => (await import("./show.ts")).status(host),
  }),
  command("busy", "Set what Enter does during a turn", {
    argsHint: "[queue|steer|interrupt|status]",
    needs: ["busyMode"],
    run: async (args, host) => (await import("./settings.ts")).busy(args, host),
    complete: () => ["queue", "steer", "interrupt", "status"],
  }),
  command("verbose", "Set how much tool-call detail is shown (cycles without an argument)", {
    argsHint: "[off|new|all|verbose]",
    needs: ["display"],
    chatSetting: "display.tool_progress_command",
    run: async (args, host) => (await import("./display.ts")).verbose(args, host),
    complete: () => TOOL_PROGRESS,
  }),
  command("reasoning", "Show or hide the model's reasoning, or set its effort", {
    argsHint: "[show|hide|full|clamp|LEVEL]",
    needs: ["display"],
    run: async (args, host) => (await import("./display.ts")).reasoning(args, host),
    complete: () => ["show", "hide", "full", "clamp"],
  }),
  command("personality", "List personalities, or choose the one of new sessions", {
    argsHint: "[name|none]",
    run: async (args, host) => (await import("./personality.ts")).personality(args, host),
    complete: async (_, host) => (await import("./personality.ts")).personalityNames(host),
  }),
  command("timestamps", "Show or hide message times", {
    aliases: ["ts"],
    argsHint: "[on|off]",
    needs: ["display"],
    run: async (args, host) => (await import("./display.ts")).timestamps(args, host),
    complete: () => ["on", "off"],
  }),
  command("footer", "Show or hide a status line under answers in chats", {
    argsHint: "[on|off|status]",
    run: async (args, host) => (await import("./settings.ts")).footer(args, host),
    complete: () => ["on", "off", "status"],
  }),
  command("indicator", "Set the style of the spinner", {
    argsHint: "[kaomoji|emoji|unicode|ascii]",
    needs: ["display", "statusbar"],
    run: async (args, host) => (await import("./display.ts")).indicator(args, host),
    complete: () => INDICATORS,
  }),
  command("skin", "List skins, or set the colours of this session", {
    argsHint: "[name]",
    needs: ["display", "skins"],
    run: async (args, host) => (await import("./display.ts")).skin(args, host),
    complete: async (_, host) => (await import("./completions.ts")).skins(host),
  }),
  command("statusbar", "Show or hide the status bar", {
    aliases: ["sb"],
    argsHint: "[on|off]",
    needs: ["statusbar"],
    run: async (args, host) => (await import("./display.ts")).statusbar(args, host),
    complete: () => ["on", "off"],
  }),
  command("copy", "Copy the last answer, or the n-th last, to the clipboard", {
    argsHint: "[number]",
    needs: ["copy"],
    run: async (args, host) => (await import("./display.ts")).copy(args, host),
  }),
  command("image", "Attach an image file to the next message", {
    argsHint: "<path>",
    needs: ["attach"],
    run: async (args, host) => (await import("./images.ts")).image(args, host),
  }),
  command("paste", "Attach the clipboard's image to the next message", {
    needs: ["attach"],
    run: async (_, host) => (await import("./images.ts")).paste(host),
  }),
  command("approvals", "List what may run without asking, explain a command, or revoke a rule", {
    argsHint: "[explain COMMAND|revoke RULE]",
    run: async (args, host) => (await import("./approvals.ts")).approvals(args, host),
    complete: async (args, host) => (await import("./completions.ts")).approvals(args, host),
  }),
  command("approve", "Approve a pending call: once, for this session, or always", {
    argsHint: "[all] [session|always]",
    needs: ["chat"],
    run: (args, host) => host.chat?.decide("approve", args) ?? "",
  }),
  command("deny", "Deny a pending call, with a reason if given", {
    argsHint: "[all] [why]",
    needs: ["chat"],
    run: (args, host) => host.chat?.decide("deny", args) ?? "",
  }),
  command("resend", "Resend messages that may not have arrived", {
    needs: ["chat"],
    run: async (_, host) => (await host.chat?.again()) ?? "",
  }),
  command("whoami", "Show your user id and the commands you may run", {
    needs: ["chat"],
    run: (_, host) => host.chat?.whoami() ?? "",
  }),
  command("platforms", "List chat platforms, and what each needs", {
    aliases: ["gateway"],
    run: async (_, host) => (await import("./show.ts")).platforms(host),
  }),
  command("yolo", "Turn approvals off or on for this session", {
    needs: ["yolo"],
    run: async (_, host) => (await import("./settings.ts")).yolo(host),
  }),
  command("profile", "Show the profile and its home", { run: (_, host) => `${host.app.profile} · ${host.app.home}` }),
  command("version", "Show the version", { aliases: ["v"], run: (_, host) => host.app.version }),
  command("redraw", "Repaint the screen", { needs: ["redraw"], run: (_, host) => quietly(host.redraw) }),
  command("clear", "Clear the screen and start a new session", {
    needs: ["clear", "switchSession"],
    run: async (_, host) => (host.clear?.(), (await import("./conversation.ts")).startNew(host)),
  }),
  command("quit", "Exit", { aliases: ["exit"], needs: ["quit"], run: (_, host) => quietly(host.quit) }),
];

/** The built-in commands that this surface supports. */
export function coreCommands(host: SlashHost): readonly CoreSlashCommand[] {
  return CORE_COMMANDS.filter(
    (command) =>
      isAllowedInChat(command, host) ||
      ((!command.cliOnly || host.terminal === true) && command.needs.every((need) => host[need] !== undefined)),
  );
}

/** Whether the settings allow this CLI command in chats. */
function isAllowedInChat({ chatSetting }: CoreSlashCommand, { app, chat }: SlashHost): boolean {
  return chat !== undefined && chatSetting !== undefined && app.config.get(chatSetting) === true;
}

/** The plugin commands that this surface supports. */
export function pluginCommands({ app, terminal }: SlashHost): readonly SlashCommand[] {
  return app.commands.list().filter(({ cliOnly }) => cliOnly !== true || terminal === true);
}

function command(
  name: string,
  description: string,
  rest: {
    readonly aliases?: readonly string[];
    readonly argsHint?: string;
    readonly needs?: readonly (keyof SlashHost)[];
  } & Pick<CoreSlashCommand, "run" | "complete" | "chatSetting">,
): CoreSlashCommand {
  return {
    name,
    description,
    aliases: rest.aliases ?? [],
    argsHint: rest.argsHint ?? "",
    needs: rest.needs ?? [],
    cliOnly: CLI_ONLY.has(name),
    chatSetting: rest.chatSetting,
    run: rest.run,
    complete: rest.complete,
  };
}

function quietly(action: (() => void) | undefined): string {
  action?.();
  return "";
}
