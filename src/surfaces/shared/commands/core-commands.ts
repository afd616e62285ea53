import type { SlashCommand } from "../../../contract/conversation/command.ts";
import { INDICATORS, TOOL_PROGRESS } from "../display/display.ts";
import type { CoreSlashCommand, SlashHost } from "./slash-host.ts";

/** The list is the seeds'. */
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
 * The built-in slash commands: one table for every surface, its help, its completion and its menus. The names are the seeds'.
 * Each command's work is loaded when it is first used.
 */
export const CORE_COMMANDS: readonly CoreSlashCommand[] = [
  command("help", "list the commands of this surface", {
    run: async (_, host) => (await import("./show.ts")).help(host, coreCommands(host), pluginCommands(host)),
  }),
  command("new", "start a new session", {
    aliases: ["reset"],
    needs: ["switchSession"],
    run: async (_, host) => (await import("./conversation.ts")).startNew(host),
  }),
  command("sessions", "list recent sessions", {
    run: async (_, host) => (await import("./conversation.ts")).recent(host),
  }),
  command("resume", "go on with a session", {
    argsHint: "[id or title]",
    needs: ["switchSession"],
    run: async (args, host) => (await import("./conversation.ts")).resume(args, host),
    complete: async (_, host) => (await host.app.sessions.list({ limit: 10 })).map((session) => session.id),
  }),
  command("branch", "continue in a copy of this session", {
    aliases: ["fork"],
    argsHint: "[title]",
    needs: ["switchSession"],
    run: async (args, host) => (await import("./conversation.ts")).branch(args, host),
  }),
  command("title", "show or set the session's title", {
    argsHint: "[title]",
    run: async (args, host) => (await import("./conversation.ts")).title(args, host),
  }),
  command("history", "show this conversation", { run: async (_, host) => (await import("./show.ts")).history(host) }),
  command("save", "write this conversation to a Markdown file", {
    argsHint: "[file]",
    run: async (args, host) => (await import("./conversation.ts")).save(args, host),
  }),
  command("queue", "run this after the present turn", {
    aliases: ["q"],
    argsHint: "<text>",
    run: async (args, host) => (await import("./conversation.ts")).sendLater(args, "queue", host),
  }),
  command("steer", "tell the running turn something after its next tool call", {
    argsHint: "<text>",
    run: async (args, host) => (await import("./conversation.ts")).sendLater(args, "steer", host),
  }),
  command("compress", "let a summary take the place of the beginning; a topic is kept above all", {
    aliases: ["compact"],
    argsHint: "[topic]",
    run: async (args, host) => (await import("./conversation.ts")).compress(args, host),
  }),
  command("continue", "carry on what was interrupted", {
    needs: ["carryOn"],
    run: async (_, host) => (await import("./conversation.ts")).carryOn(host),
  }),
  command("stop", "stop the running turn", { run: async (_, host) => (await import("./conversation.ts")).stop(host) }),
  command("model", "show or change the model", {
    argsHint: "[provider/name]",
    run: async (args, host) => (await import("./settings.ts")).model(args, host),
  }),
  command("tools", "list tools, enable or disable one", {
    argsHint: "[list|enable NAME|disable NAME]",
    run: async (args, host) => (await import("./settings.ts")).tools(args, host),
    complete: () => ["list", "enable ", "disable "],
  }),
  command("toolsets", "list toolsets", { run: async (_, host) => (await import("./show.ts")).toolsets(host) }),
  command("plugins", "list plugins and what they register", {
    run: async (_, host) => (await import("./show.ts")).plugins(host),
  }),
  command("reload", "take in what changed in plugins, .env and config.yaml; the conversation goes on", {
    run: async (_, host) => (await import("./settings.ts")).reload(host),
  }),
  command("snapshot", "copies of settings, keys and conversations: list them, make one, put one into force", {
    aliases: ["snap"],
    argsHint: "[create LABEL|restore ID|prune N]",
    run: async (args, host) => (await import("./snapshots.ts")).snapshot(args, host),
    complete: async (args, host) =>
      args.startsWith("restore ")
        ? (await host.app.snapshots.list()).map(({ id }) => `restore ${id}`)
        : ["create ", "restore ", "prune "],
  }),
  command("cron", "scheduled jobs: list, add, pause, resume, run, remove them", {
    argsHint: "[list|add|run|remove …]",
    run: async (args, host) => (await import("./cron.ts")).cron(args, host),
    complete: async (args, host) =>
      /^(?:pause|resume|run|remove|runs) /.test(args)
        ? (await (await host.app.jobs()).list()).map(({ id }) => `${args.split(" ")[0]} ${id}`)
        : ["list", 'add "', "pause ", "resume ", "run ", "remove ", "runs "],
  }),
  command("config", "show settings that differ from their defaults", {
    run: async (_, host) => (await import("./show.ts")).config(host),
  }),
  command("usage", "tokens and cost of this session", {
    run: async (_, host) => (await import("./show.ts")).usage(host),
  }),
  command("gquota", "the quota of a Google sign-in", {
    run: async (_, host) => (await import("./show.ts")).gquota(host),
  }),
  command("status", "model, session, folder and what is running", {
    run: async (_, host) => (await import("./show.ts")).status(host),
  }),
  command("busy", "what Enter does while a turn runs", {
    argsHint: "[queue|steer|interrupt|status]",
    needs: ["busyMode"],
    run: async (args, host) => (await import("./settings.ts")).busy(args, host),
    complete: () => ["queue", "steer", "interrupt", "status"],
  }),
  command("verbose", "which tool calls are shown: the next way, or the one named", {
    argsHint: "[off|new|all|verbose]",
    needs: ["display"],
    chatSetting: "display.tool_progress_command",
    run: async (args, host) => (await import("./display.ts")).verbose(args, host),
    complete: () => TOOL_PROGRESS,
  }),
  command("reasoning", "show or hide what the model thinks, or set how long it does", {
    argsHint: "[show|hide|full|clamp|LEVEL]",
    needs: ["display"],
    run: async (args, host) => (await import("./display.ts")).reasoning(args, host),
    complete: () => ["show", "hide", "full", "clamp"],
  }),
  command("timestamps", "show when things were said, or not", {
    aliases: ["ts"],
    argsHint: "[on|off]",
    needs: ["display"],
    run: async (args, host) => (await import("./display.ts")).timestamps(args, host),
    complete: () => ["on", "off"],
  }),
  command("footer", "a line of figures under answers in chats, or none", {
    argsHint: "[on|off|status]",
    run: async (args, host) => (await import("./settings.ts")).footer(args, host),
    complete: () => ["on", "off", "status"],
  }),
  command("indicator", "the sign that turns while something is awaited", {
    argsHint: "[kaomoji|emoji|unicode|ascii]",
    needs: ["display", "statusbar"],
    run: async (args, host) => (await import("./display.ts")).indicator(args, host),
    complete: () => INDICATORS,
  }),
  command("skin", "colours of this session: those there are, or the one named", {
    argsHint: "[name]",
    needs: ["display", "skins"],
    run: async (args, host) => (await import("./display.ts")).skin(args, host),
    complete: async (_, host) => ((await host.skins?.read()) ?? []).map(({ name }) => name),
  }),
  command("statusbar", "show the line at the bottom, or not", {
    aliases: ["sb"],
    argsHint: "[on|off]",
    needs: ["statusbar"],
    run: async (args, host) => (await import("./display.ts")).statusbar(args, host),
    complete: () => ["on", "off"],
  }),
  command("copy", "copy an answer: the last one, or the one so many back", {
    argsHint: "[number]",
    needs: ["copy"],
    run: async (args, host) => (await import("./display.ts")).copy(args, host),
  }),
  command("image", "send an image along with the next message", {
    argsHint: "<path>",
    needs: ["attach"],
    run: async (args, host) => (await import("./images.ts")).image(args, host),
  }),
  command("paste", "the same with the image on the clipboard", {
    needs: ["attach"],
    run: async (_, host) => (await import("./images.ts")).paste(host),
  }),
  command("approvals", "what this session may do unasked; explain a command, take a rule out", {
    argsHint: "[explain COMMAND|revoke RULE]",
    run: async (args, host) => (await import("./approvals.ts")).approvals(args, host),
    complete: () => ["explain ", "revoke "],
  }),
  command("approve", "let what waits for an approval run: once, in this session, or always", {
    argsHint: "[all] [session|always]",
    needs: ["chat"],
    run: (args, host) => host.chat?.decide("approve", args) ?? "",
  }),
  command("deny", "refuse what waits for an approval, and say why", {
    argsHint: "[all] [why]",
    needs: ["chat"],
    run: (args, host) => host.chat?.decide("deny", args) ?? "",
  }),
  command("resend", "send again what may not have arrived here", {
    needs: ["chat"],
    run: async (_, host) => (await host.chat?.again()) ?? "",
  }),
  command("whoami", "who you are here, and which commands are yours", {
    needs: ["chat"],
    run: (_, host) => host.chat?.whoami() ?? "",
  }),
  command("platforms", "chat platforms, and what each lacks", {
    aliases: ["gateway"],
    run: async (_, host) => (await import("./show.ts")).platforms(host),
  }),
  command("yolo", "switch approvals off or on for this session", {
    needs: ["yolo"],
    run: async (_, host) => (await import("./settings.ts")).yolo(host),
  }),
  command("profile", "show the profile and its home", { run: (_, host) => `${host.app.profile} · ${host.app.home}` }),
  command("version", "show the version", { aliases: ["v"], run: (_, host) => host.app.version }),
  command("redraw", "repaint the screen", { needs: ["redraw"], run: (_, host) => quietly(host.redraw) }),
  command("clear", "clear the screen and start a new session", {
    needs: ["clear", "switchSession"],
    run: async (_, host) => (host.clear?.(), (await import("./conversation.ts")).startNew(host)),
  }),
  command("quit", "end", { aliases: ["exit"], needs: ["quit"], run: (_, host) => quietly(host.quit) }),
];

/** The built-in commands that this surface can carry out. */
export function coreCommands(host: SlashHost): readonly CoreSlashCommand[] {
  return CORE_COMMANDS.filter(
    (command) =>
      isLetIn(command, host) ||
      ((!command.cliOnly || host.terminal === true) && command.needs.every((need) => host[need] !== undefined)),
  );
}

/** A command of the CLI that the settings let into chats. */
function isLetIn({ chatSetting }: CoreSlashCommand, { app, chat }: SlashHost): boolean {
  return chat !== undefined && chatSetting !== undefined && app.config.get(chatSetting) === true;
}

/** Those of plugins that this surface can carry out. */
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
