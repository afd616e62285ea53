import { Command, CommanderError } from "commander";
import { ToolFailure, UserError } from "../../contract/common/failure.ts";
import { nearest } from "../../contract/common/nearest.ts";
import type { App } from "../../contract/services/app.ts";
import { asTyped, takeCalledAs } from "../shared/process/called-as.ts";
import type { Call, RunSettings } from "./program/call.ts";
import { buildProgram } from "./program/command-tree.ts";
import type { Surfaces } from "./program/surfaces.ts";
import { EXIT } from "../shared/process/exit-code.ts";
import type { ScreenLayout } from "./interactive/screen-layout.ts";
import { processIo, type Io } from "../shared/process/io.ts";
import { systemFailure } from "./program/system-failure.ts";
import { leaveScreen } from "./input/screen-lock.ts";
import { truthy } from "../shared/process/truthy.ts";
import { packageVersion } from "./program/version.ts";

/** Options that every command takes; they select the profile and its configuration. */
interface GlobalOptions {
  readonly profile?: string;
  readonly ignoreUserConfig?: boolean;
  readonly safeMode?: boolean;
  readonly acceptHooks?: boolean;
}

export interface LineOptions {
  readonly surfaces: Surfaces;
  /** Arranges the parts of the interactive screen, and may add parts. */
  readonly layout?: ScreenLayout;
}

/** Runs one command line and returns its exit status. Never throws: it reports errors on stderr. */
export async function runLine(line: readonly string[], options: LineOptions): Promise<number> {
  takeCalledAs(process.env);
  // `hermes help cron add` is `hermes cron add --help`.
  let argv = line[0] === "help" ? [...line.slice(1), "--help"] : line;
  const stop = new AbortController();
  const io = processIo(stop.signal);
  let app: Promise<App> | undefined;
  let status = 0;
  let mask = (text: string): string => text;
  const start = (forRepair?: "for-repair", settings?: RunSettings, showsNotices = false): Promise<App> =>
    openApp(program, own, io, forRepair, settings).then(async (opened) => {
      mask = (text) => opened.mask(text);
      const { inForce } = opened.config.check();
      if (inForce !== undefined && forRepair === undefined && !showsNotices)
        (await import("../shared/process/notices.ts")).reportNotices(io, [inForce]);
      return opened;
    });
  // An uncaught error, such as one in a plugin's timer, ends the process. Mask secrets in its report.
  const crash = (error: unknown): never => {
    leaveScreen();
    return process.exit(report(error, io, mask));
  };
  process.once("uncaughtException", crash);
  const program = buildProgram(
    (action) =>
      async (...given: unknown[]) => {
        const command = given.at(-1);
        // These print or draw all notices where the user reads.
        const showsNotices = command instanceof Command && ["chat", "acp"].includes(command.name());
        const call: Call = {
          io,
          ...options,
          open: (forRepair, settings) => (app ??= start(forRepair, settings, showsNotices)),
        };
        status = (await action(call, ...given)) ?? EXIT.ok;
      },
    argv[0] === "chat" ? "chat" : undefined,
  );
  // Collected before plugins add their commands.
  const own = new Set(["help", ...program.commands.flatMap((command) => [command.name(), ...command.aliases()])]);
  try {
    if (argv[0]?.startsWith("-") === true)
      argv = (await import("./program/leading-options.ts")).leadingOptionsBehind(program, argv);
    const [word] = program.parseOptions([...argv]).operands;
    if (word !== undefined && isUnknown(program, word)) {
      await addPluginCommands(
        program,
        () => (app ??= start()),
        io,
        (code) => (status = code),
      );
      if (isUnknown(program, word)) throw await unknownCommand(program, word);
    }
    // The help also lists plugins' commands. If the agent cannot start, it lists the built-in ones.
    else if (word === undefined && argv.some((one) => one === "--help" || one === "-h"))
      await addPluginCommands(
        program,
        () => (app ??= start()),
        io,
        (code) => (status = code),
      ).catch(() => {});
    refuseUnknown(program, argv);
    await program.parseAsync([...argv], { from: "user" });
    return status;
  } catch (error) {
    return report(await readable(error, program, argv), io, mask);
  } finally {
    stop.abort();
    const opened = await app?.catch(() => undefined);
    const known = opened?.notices ?? [];
    await opened?.[Symbol.asyncDispose]();
    // Background work may have failed after the answer.
    if (opened !== undefined && opened.notices.length > known.length) {
      const { reportNotices, noticesSince } = await import("../shared/process/notices.ts");
      reportNotices(io, noticesSince(opened, known));
    }
    process.removeListener("uncaughtException", crash);
  }
}

async function openApp(
  program: Command,
  own: ReadonlySet<string>,
  io: Io,
  forRepair?: "for-repair",
  settings?: RunSettings,
): Promise<App> {
  const options = program.opts<GlobalOptions>();
  const { openApp: open } = await import("../../host/app/open-app.ts");
  return open({
    version: packageVersion(),
    flags: options.acceptHooks === true ? { ...settings, hooks_auto_accept: true } : settings,
    profile: options.profile,
    ignoreUserConfig: options.ignoreUserConfig ?? truthy(process.env.HERMES_IGNORE_USER_CONFIG),
    safeMode: options.safeMode ?? truthy(process.env.HERMES_SAFE_MODE),
    forRepair: forRepair !== undefined,
    reservedWord: (name) => own.has(name),
    env: process.env,
    signal: io.signal,
  });
}

function isUnknown(program: Command, word: string): boolean {
  return (
    word !== "help" && !program.commands.some((command) => command.name() === word || command.aliases().includes(word))
  );
}

async function unknownCommand(program: Command, word: string): Promise<UserError> {
  const { ABSENT_COMMANDS } = await import("../shared/commands/absent-commands.ts");
  const absent = Object.hasOwn(ABSENT_COMMANDS, word) ? ABSENT_COMMANDS[word] : undefined;
  if (absent !== undefined) return new UserError(`Unknown command "${word}".`, { hint: absent, exitCode: EXIT.usage });
  const names = program.commands.map((command) => command.name());
  // Finds `tools` for `toolset` and `toolsets`.
  const meant = nearest(word, names) ?? names.find((name) => name.length > 3 && word.startsWith(name.slice(0, -1)));
  return new UserError(`Unknown command "${word}".`, {
    hint:
      meant === undefined
        ? '`hermes --help` lists all commands; `hermes chat -q "…"` asks the agent.'
        : `Did you mean \`hermes ${meant}\`?`,
    exitCode: EXIT.usage,
  });
}

/** Refuses a misspelled subcommand, as in `hermes tools lst`. Commander would pass it to the default subcommand. */
function refuseUnknown(program: Command, argv: readonly string[]): void {
  const [first, word] = argv;
  const group = program.commands.find((command) => command.name() === first && command.commands.length > 0);
  // Any word may be an argument of the group itself: `hermes model NAME`.
  if (group === undefined || group.registeredArguments.length > 0) return;
  if (word === undefined || word.startsWith("-") || !isUnknown(group, word)) return;
  const meant = nearest(
    word,
    group.commands.map((command) => command.name()),
  );
  throw new UserError(`Unknown command "${group.name()} ${word}".`, {
    hint:
      meant === undefined
        ? `\`hermes ${group.name()} --help\` lists all commands.`
        : `Did you mean \`hermes ${group.name()} ${meant}\`?`,
    exitCode: EXIT.usage,
  });
}

/** Loads plugins' subcommands only if no built-in command matches, to keep other starts fast. */
async function addPluginCommands(
  program: Command,
  open: () => Promise<App>,
  io: Io,
  done: (status: number) => void,
): Promise<void> {
  const { mountPluginCommands } = await import("./program/plugin-commands.ts");
  // A raw command gets all the words behind it, even those that look like Hermes options.
  program.enablePositionalOptions();
  mountPluginCommands(program, (await open()).cliCommands.list(), io, done);
}

/** Turns commander's errors into UserErrors. Help and version also end with an error; those pass through. */
async function readable(error: unknown, program: Command, argv: readonly string[]): Promise<unknown> {
  if (!(error instanceof CommanderError) || error.exitCode === 0 || error.code === "commander.help") return error;
  return (await import("./program/line-error.ts")).lineError(program, argv, error);
}

function report(error: unknown, io: Io, mask: (text: string) => string): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  const known = error instanceof UserError || error instanceof ToolFailure ? error : systemFailure(error);
  if (known !== undefined) {
    io.note(
      `${io.style("red", "Error:")} ${mask(asTyped(known.message))}\n${known.hint === undefined ? "" : `${mask(asTyped(known.hint))}\n`}`,
    );
    return known instanceof UserError ? known.exitCode : EXIT.failed;
  }
  io.note(
    `${io.style("red", "Error:")} ${mask(error instanceof Error ? (error.stack ?? error.message) : String(error))}\nThis is a bug in Hermes. Include the lines above when you report it.\n`,
  );
  return EXIT.failed;
}
