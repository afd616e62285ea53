import type { App, OpenSession } from "../../../contract/services/app.ts";
import type { Session, TurnEnd } from "../../../contract/conversation/session.ts";
import type { Attachment } from "../conversation/attachment.ts";
import type { LiveDisplay } from "../display/live-display.ts";
import type { Skins } from "../display/skins.ts";

/** What Enter does while a turn runs. */
export type BusyMode = "queue" | "steer" | "interrupt";

/** What a slash command may do on the surface where it was typed. Members a surface lacks are absent, and their commands with them. */
export interface SlashHost {
  readonly app: App;
  readonly surface: string;
  readonly signal: AbortSignal;
  /** A person sits at a terminal of this machine; commands of the CLI only need one. */
  readonly terminal?: true;
  session(): Session;
  /** Puts another conversation in front: a new one, or one that exists. */
  switchSession?(options: { readonly sessionId?: string; readonly model?: OpenSession["model"] }): Promise<void>;
  /** The same conversation goes on with another model, where no other may be put in front. */
  useModel?(model: { readonly provider: string; readonly model: string }): void;
  /** Carries on what a former process was interrupted in; `undefined` when there is nothing. */
  carryOn?(): Promise<TurnEnd | undefined>;
  /** Lets the person pick one; `undefined` when they would not. */
  pick?(text: string, choices: readonly string[], of?: "model"): Promise<string | undefined>;
  /** An image goes along with the next message. */
  attach?(image: Attachment): void;
  /** Keys and what they do, for `/help`. */
  readonly keys?: readonly (readonly [key: string, does: string])[];
  /** How wide the place is where it is shown; absent: as wide as need be. */
  columns?(): number;
  /** Messages that wait are on the screen; no command needs to say that one was queued. */
  readonly showsWaiting?: boolean;
  busyMode?: { get(): BusyMode; set(mode: BusyMode): void };
  /** How this session is shown. */
  display?: LiveDisplay;
  /** Colours it can be shown in. */
  skins?: Skins;
  /** The line under the editor. */
  statusbar?: { get(): boolean; set(on: boolean): void };
  /** Reads `.env` and `config.yaml` again; what there is to say of it is shown. */
  reload?(): Promise<void>;
  /** Puts a text where the person can paste it from. */
  copy?(text: string): void;
  /** Approvals of this session are not asked for. */
  yolo?: { get(): boolean; set(on: boolean): void };
  /** The session in front got this title. */
  titled?(title: string): void;
  /** The session is a chat's. */
  chat?: {
    /** Answers the question that waits there. @returns what is said to it. */
    decide(verdict: "approve" | "deny", args: string): string;
    /** Sends again what may not have arrived. */
    again(): Promise<string>;
    /** Who writes, and what they may. */
    whoami(): string;
    /** Whose conversations are seen here; absent: everybody's. */
    readonly whose?: string;
    /** Whether who writes may run this command here. */
    mayRun(command: string): boolean;
  };
  redraw?(): void;
  clear?(): void;
  quit?(): void;
}

/** A built-in slash command. `needs` names the host's members without which it is not offered. */
export interface CoreSlashCommand {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly argsHint: string;
  readonly needs: readonly (keyof SlashHost)[];
  /** By the seeds, it works in the CLI and in no chat. */
  readonly cliOnly: boolean;
  /** The setting that lets a command of the CLI into chats. */
  readonly chatSetting?: string;
  run(args: string, host: SlashHost): string | Promise<string>;
  complete?(args: string, host: SlashHost): readonly string[] | Promise<readonly string[]>;
}
