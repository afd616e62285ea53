import type { JsonObject } from "../../../contract/common/json.ts";
import type { BackgroundEnd } from "../../../contract/services/agent-service.ts";
import type { App, OpenSession } from "../../../contract/services/app.ts";
import type { PickList } from "../../../contract/conversation/pick-list.ts";
import type { Session, TurnEnd } from "../../../contract/conversation/session.ts";
import type { Attachment } from "../conversation/attachment.ts";
import type { LiveDisplay } from "../display/live-display.ts";
import type { Skins } from "../display/skins.ts";

/** What Enter does while a turn runs. */
export type BusyMode = "queue" | "steer" | "interrupt";

/**
 * The features of a surface that slash commands can use. If a member is absent, the surface does not offer the
 * commands that need it.
 */
export interface SlashHost {
  readonly app: App;
  readonly surface: string;
  readonly signal: AbortSignal;
  /** The user is at a local terminal, which CLI-only commands need. */
  readonly terminal?: true;
  session(): Session;
  /** Switches to another conversation, new or existing. */
  switchSession?(options: { readonly sessionId?: string; readonly model?: OpenSession["model"] }): Promise<void>;
  /** Changes the model of this conversation, on surfaces that cannot switch conversations. */
  useModel?(model: { readonly provider: string; readonly model: string }): void;
  /** Resumes an interrupted turn; `undefined` if there is none. */
  carryOn?(): Promise<TurnEnd | undefined>;
  /** Asks the user to pick one; `undefined` if they did not. */
  pick?(text: string, choices: readonly string[], of?: "model"): Promise<string | undefined>;
  /** Lets the user pick from a list with a preview: the picked value, `undefined` if they left it. */
  browse?(list: PickList): Promise<string | undefined>;
  /** Shows a text at once, before the command has ended. */
  notify?(text: string): void | Promise<void>;
  /** How prompts run in the background here. */
  readonly background?: {
    /** Options of their sessions: the model, tools and approvals of the conversation in front. */
    opening(): OpenSession;
    readonly scope?: string;
    readonly from?: JsonObject;
    announce(end: BackgroundEnd): void | Promise<void>;
  };
  /** Puts a text into the empty editor. */
  draft?(text: string): void;
  /** Set if this command's line is stored as input: a turn that the command starts answers it. */
  asInput?: { readonly inputId: string; begun(end: Promise<TurnEnd>): void };
  /** Attaches an image to the next message. */
  attach?(image: Attachment): void;
  /** Keys and what they do, for `/help`. */
  readonly keys?: readonly (readonly [key: string, does: string])[];
  /** The width of the output; absent: unlimited. */
  columns?(): number;
  /** The screen shows queued messages, so commands do not report them. */
  readonly showsWaiting?: boolean;
  busyMode?: { get(): BusyMode; set(mode: BusyMode): void };
  /** How this session is displayed. */
  display?: LiveDisplay;
  /** The available skins. */
  skins?: Skins;
  /** The line under the editor. */
  statusbar?: { get(): boolean; set(on: boolean): void };
  /** Reads `.env` and `config.yaml` again, and shows the notices. */
  reload?(): Promise<void>;
  /** Copies a text to the clipboard. */
  copy?(text: string): void;
  /** Turns approvals off for this session. */
  yolo?: { get(): boolean; set(on: boolean): void };
  /** Called when the session gets a title. */
  titled?(title: string): void;
  /** The session is a chat's. */
  chat?: {
    /** Answers the pending approval. @returns the reply. */
    decide(verdict: "approve" | "deny", args: string): string;
    /** Resends messages that may not have arrived. */
    again(): Promise<string>;
    /** Describes the user and their permissions. */
    whoami(): string;
    /** Shows only this user's conversations; absent: all. */
    readonly whose?: string;
    /** Other users read here, too. */
    readonly group?: true;
    /** Whether the user may run this command here. */
    mayRun(command: string): boolean;
  };
  redraw?(): void;
  clear?(): void;
  quit?(): void;
}

/** A built-in slash command. `needs` names the host members that it requires. */
export interface CoreSlashCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly argsHint: string;
  readonly needs: readonly (keyof SlashHost)[];
  /** As in the original, it works in the CLI but not in chats. */
  readonly cliOnly: boolean;
  /** The setting that allows a CLI command in chats. */
  readonly chatSetting?: string;
  run(args: string, host: SlashHost): string | Promise<string>;
  complete?(args: string, host: SlashHost): readonly Completion[] | Promise<readonly Completion[]>;
}

/** A possible value of a command's arguments, and what it stands for. */
export type Completion = string | { readonly value: string; readonly about: string };
