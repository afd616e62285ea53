import type { ApprovalService } from "./approval-service.ts";
import type { Check } from "../common/check.ts";
import type { CliCommand, SlashCommand } from "../conversation/command.ts";
import type { ConfigService } from "./config-service.ts";
import type { GatewayService } from "./gateway-service.ts";
import type { HookService } from "./hook-service.ts";
import type { JobService } from "./job-service.ts";
import type { LogLine, LogQuery } from "../common/log.ts";
import type { Logger } from "../common/logger.ts";
import type { ModelService } from "./model-service.ts";
import type { JsonObject } from "../common/json.ts";
import type { MediaService } from "./media-service.ts";
import type { SnapshotService } from "./snapshot-service.ts";
import type { MemoryField } from "../providers/memory.ts";
import type { Notice } from "../common/notice.ts";
import type { PluginService } from "./plugin-service.ts";
import type { Prompter } from "../conversation/question.ts";
import type { SessionService } from "./session-service.ts";
import type { SkillShelf } from "../plugins/skill.ts";
import type { Skin } from "./skin.ts";
import type { Session } from "../conversation/session.ts";
import type { TerminalService } from "./terminal-service.ts";
import type { ToolService } from "./tool-service.ts";

/** One process of the agent, as surfaces see it. Nothing behind it is loaded before a member is used. */
export interface App extends AsyncDisposable {
  readonly version: string;
  readonly home: string;
  readonly profile: string;
  readonly log: Logger;
  /** Masks stored secrets and what looks like one: for everything that is shown and is no event of a session. */
  mask(text: string): string;
  /** Problems a person should know before anything runs (config errors, plugins that failed), each with what would help. */
  readonly notices: readonly Notice[];
  readonly config: ConfigService;
  readonly tools: ToolService;
  readonly plugins: PluginService;
  readonly sessions: SessionService;
  readonly models: ModelService;
  /** Places where commands can run. */
  readonly terminals: TerminalService;
  readonly media: MediaService;
  readonly snapshots: SnapshotService;
  readonly approvals: ApprovalService;
  readonly hooks: HookService;
  /** What serving chats needs. */
  gateway(): Promise<GatewayService>;
  jobs(): Promise<JobService>;
  /** The memory provider that the settings choose, made ready; `undefined` when they choose none. */
  memory(): Promise<{ readonly available: boolean; readonly tools: readonly string[] } | undefined>;
  /** What the chosen memory provider has to be told; `undefined` when there is none that runs. */
  memorySetup(): Promise<MemorySetup | undefined>;
  /** Slash commands of the core and of plugins; one registry for all surfaces. */
  readonly commands: { list(): readonly SlashCommand[]; get(name: string): SlashCommand | undefined };
  readonly cliCommands: { list(): readonly CliCommand[] };
  /** Skills of the home and of folders outside it. */
  readonly skills: Pick<SkillShelf, "all">;
  /** The person's own skins, from the home's `skins` folder. */
  skins(): Promise<readonly Skin[]>;
  /** Read-only checks of the installation, each with what would help. */
  doctor(): Promise<readonly Check[]>;
  /** Lines of the log, oldest first; goes on as it grows when `follow`. */
  logs(options: LogQuery): AsyncIterable<LogLine>;
  openSession(options: OpenSession): Promise<Session>;
}

export interface MemorySetup {
  /** The plugin that provides it. */
  readonly plugin: string;
  readonly fields: readonly MemoryField[];
  /** Hands over the answers that are no secrets. */
  save(values: JsonObject): Promise<void>;
}

export interface OpenSession {
  readonly surface: string;
  readonly prompter?: Prompter;
  readonly cwd: string;
  /** Whoever opens it shows turns that nobody asked for, too: it takes in what plugins say (`inject_message`). */
  readonly attended?: boolean;
  /** An existing session; default: a new one. */
  readonly sessionId?: string;
  /** Toolsets of this run only. */
  readonly toolsets?: { readonly enabled?: readonly string[]; readonly disabled?: readonly string[] };
  readonly maxTurns?: number;
  /** Whose chat it is, where that is not the owner's; kept in a new session's first fact. */
  readonly whose?: string;
  /** A section of a new session's system prompt: what the place where it is held asks for. */
  readonly place?: string;
  /** Approvals are not asked for (`--yolo`); the hard floor and the person's deny rules stay. */
  readonly yolo?: boolean;
  /** Project notes (`AGENTS.md` and its kin) are not read. */
  readonly ignoreRules?: boolean;
  /** What is remembered of the person is not told. */
  readonly ignoreMemory?: boolean;
  /** Model, provider and base URL of this run only. */
  readonly model?: { readonly name?: string; readonly provider?: string; readonly baseUrl?: string };
}
