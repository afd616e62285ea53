import type { JsonObject } from "../common/json.ts";
import type { JsonSchema } from "../common/schema.ts";
import type { PickList } from "./pick-list.ts";

/** A slash command of a session, on every surface it names. */
export interface SlashCommand {
  /** The command's name in lower case, without the slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly description: string;
  /** Shown after the name: `[on|off]`. */
  readonly argsHint?: string;
  /** Works in the CLI only: chats do not list it, and answer that it is not available there. */
  readonly cliOnly?: true;
  /** Shows what belongs to the owner: works on this machine, and in the owner's direct chats. */
  readonly ownerOnly?: true;
  /** Returns the text to show; `undefined` shows nothing. */
  run(args: string, call: CommandContext): string | void | Promise<string | void>;
  complete?(args: string): readonly string[] | Promise<readonly string[]>;
}

export interface CommandContext {
  readonly sessionId: string;
  readonly surface: string;
  readonly signal: AbortSignal;
  /** Puts another conversation in front; absent where the surface cannot. */
  goTo?(sessionId: string): Promise<void>;
  /** Lets the user pick from a list: the picked value, `undefined` if they left it. Absent where there is no screen. */
  browse?(list: PickList): Promise<string | undefined>;
}

/** A subcommand of `hermes`, with options parsed from a schema and help made of it. */
export interface CliCommand {
  readonly name: string;
  readonly description: string;
  /** Properties become `--options`; those listed in `positional` are taken in that order. */
  readonly input?: JsonSchema;
  readonly positional?: readonly string[];
  /** It reads its own words: `input` is `{ words }`, everything after its name as it was written, `--help` included. */
  readonly raw?: true;
  /** It signs in to something: `hermes auth NAME …` is this command, too. */
  readonly signsIn?: true;
  /** A gateway runs it with this once an hour, beside its chats; what it prints is nowhere shown. */
  readonly hourly?: JsonObject;
  /** Text of the reference page, besides the options. */
  readonly help?: string;
  /** Returns the exit status; nothing is 0. */
  run(input: never, io: CliIo): number | void | Promise<number | void>;
}

export interface CliIo {
  out(text: string): void;
  error(text: string): void;
  /** The user can answer questions and sees colours. */
  readonly interactive: boolean;
  readonly signal: AbortSignal;
  /** Asks the user of a surface that is no terminal. Absent: `interactive` says whether to ask on the terminal. */
  confirm?(question: string): Promise<boolean>;
}
