import type { ActivityService } from "./activity-service.ts";
import type { AgentService } from "./agent-service.ts";
import type { ApprovalService } from "./approval-service.ts";
import type { BackupService } from "./backup-service.ts";
import type { Check } from "../common/check.ts";
import type { CliCommand, SlashCommand } from "../conversation/command.ts";
import type { ConfigService } from "./config-service.ts";
import type { CostService } from "./cost-service.ts";
import type { GatewayService } from "./gateway-service.ts";
import type { HookService } from "./hook-service.ts";
import type { Insights, InsightsQuery } from "./insights.ts";
import type { JobService } from "./job-service.ts";
import type { LogLine, LogQuery } from "../common/log.ts";
import type { Logger } from "../common/logger.ts";
import type { MigrationService } from "./migration-service.ts";
import type { ModelService } from "./model-service.ts";
import type { JsonObject } from "../common/json.ts";
import type { MediaService } from "./media-service.ts";
import type { ProfileService } from "./profile-service.ts";
import type { UpdateService } from "./update-service.ts";
import type { SnapshotService } from "./snapshot-service.ts";
import type { MemoryField } from "../providers/memory.ts";
import type { Notice } from "../common/notice.ts";
import type { PluginService } from "./plugin-service.ts";
import type { OpenSession } from "./open-session.ts";
import type { SessionService } from "./session-service.ts";
import type { SkillShelf } from "../plugins/skill.ts";
import type { Skin } from "./skin.ts";
import type { Session } from "../conversation/session.ts";
import type { TerminalService } from "./terminal-service.ts";
import type { ToolService } from "./tool-service.ts";

export type { OpenSession };

/** One process of the agent, as surfaces see it. Nothing behind it is loaded before a member is used. */
export interface App extends AsyncDisposable {
  readonly version: string;
  readonly home: string;
  readonly profile: string;
  readonly log: Logger;
  /** Masks stored secrets and what looks like one: for everything that is shown and is no event of a session. */
  mask(text: string): string;
  /** A value with its texts masked, to make JSON of it. A key that names a secret tells what its text is. */
  maskValue<T>(value: T): T;
  /** Problems to show before anything runs (config errors, failed plugins), each with a hint. */
  readonly notices: readonly Notice[];
  readonly config: ConfigService;
  readonly tools: ToolService;
  readonly plugins: PluginService;
  readonly sessions: SessionService;
  /** The usage of the last days, of all sessions. */
  insights(query: InsightsQuery): Promise<Insights>;
  /** What requests to models and paid services cost. */
  readonly costs: CostService;
  /** Changes of sessions as they happen, and which sessions are at work. */
  readonly activity: ActivityService;
  readonly models: ModelService;
  /** Places where commands can run. */
  readonly terminals: TerminalService;
  readonly media: MediaService;
  readonly snapshots: SnapshotService;
  readonly approvals: ApprovalService;
  readonly hooks: HookService;
  /** Subagents and background sessions. */
  readonly agents: AgentService;
  /** The home as one file. */
  backups(): Promise<BackupService>;
  profiles(): Promise<ProfileService>;
  updates(): Promise<UpdateService>;
  migrations(): Promise<MigrationService>;
  /** The parts that serving chats needs. */
  gateway(): Promise<GatewayService>;
  jobs(): Promise<JobService>;
  /** The memory provider that the settings choose, made ready; `undefined` when they choose none. */
  memory(): Promise<{ readonly available: boolean; readonly tools: readonly string[] } | undefined>;
  /** Settings that the chosen memory provider needs; `undefined` if none runs. */
  memorySetup(): Promise<MemorySetup | undefined>;
  /** Slash commands of the core and of plugins; one registry for all surfaces. */
  readonly commands: { list(): readonly SlashCommand[]; get(name: string): SlashCommand | undefined };
  readonly cliCommands: { list(): readonly CliCommand[] };
  /** Skills of the home and of folders outside it. */
  readonly skills: Pick<SkillShelf, "all">;
  /** The user's skins, from the home's `skins` folder. */
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
