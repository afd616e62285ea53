import type { Availability } from "./availability.ts";
import type { Json, JsonObject } from "./json.ts";
import type { CliCommand, SlashCommand } from "./command.ts";
import type { HookDesk } from "./hook-desk.ts";
import type { Logger, LogLevel } from "./logger.ts";
import type { Person } from "./question.ts";
import type { PluginManifest } from "./plugin.ts";
import type { Session, SessionView } from "./session.ts";
import type { ToolDeclaration } from "./tool.ts";
import type { Recorded } from "./fact.ts";
import type { Toolset } from "./toolset.ts";

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
  readonly config: ConfigDesk;
  readonly tools: ToolDesk;
  readonly plugins: PluginDesk;
  readonly sessions: SessionDesk;
  readonly models: ModelDesk;
  /** Places where commands can run. */
  readonly terminals: TerminalDesk;
  readonly approvals: ApprovalDesk;
  readonly hooks: HookDesk;
  /** The memory provider that the settings choose, made ready; `undefined` when they choose none. */
  memory(): Promise<{ readonly available: boolean; readonly tools: readonly string[] } | undefined>;
  /** Slash commands of the core and of plugins; one registry for all surfaces. */
  readonly commands: { list(): readonly SlashCommand[]; get(name: string): SlashCommand | undefined };
  readonly cliCommands: { list(): readonly CliCommand[] };
  /** Read-only checks of the installation, each with what would help. */
  doctor(): Promise<readonly Check[]>;
  /** Lines of the log, oldest first; goes on as it grows when `follow`. */
  logs(options: LogQuery): AsyncIterable<LogLine>;
  openSession(options: OpenSession): Promise<Session>;
}

export interface TerminalDesk {
  list(): Promise<readonly TerminalPlaceInfo[]>;
  /** Runs a command in each, or in the one of that id. Rejects with `UserError` that names what there is. */
  check(id?: string): Promise<readonly TerminalCheck[]>;
}

export interface TerminalPlaceInfo {
  readonly id: string;
  readonly label: string;
  /** Key of the plugin. */
  readonly owner: string;
  /** Configuration picks it. */
  readonly chosen: boolean;
  readonly isolated: boolean;
  readonly available: Availability;
}

export interface TerminalCheck extends TerminalPlaceInfo {
  readonly ok: boolean;
  /** What was found there, or what went wrong. */
  readonly detail: string;
  readonly hint?: string;
}

export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly hint?: string;
}

export interface LogQuery {
  readonly name: "agent" | "errors";
  readonly lines: number;
  /** This level and above. */
  readonly level?: LogLevel;
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

export interface LogLine {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly level: LogLevel;
  /** Who wrote it: `plugins.weather`. */
  readonly name: string;
  readonly message: string;
  /** Details. */
  readonly [key: string]: unknown;
}

export interface Notice {
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  readonly hint?: string;
}

export interface OpenSession {
  readonly surface: string;
  readonly person?: Person;
  readonly cwd: string;
  /** An existing session; default: a new one. */
  readonly sessionId?: string;
  /** Toolsets of this run only. */
  readonly toolsets?: { readonly enabled?: readonly string[]; readonly disabled?: readonly string[] };
  readonly maxTurns?: number;
  /** Approvals are not asked for (`--yolo`); the hard floor and the person's deny rules stay. */
  readonly yolo?: boolean;
  /** Project notes (`AGENTS.md` and its kin) are not read. */
  readonly ignoreRules?: boolean;
  /** Model, provider and base URL of this run only. */
  readonly model?: { readonly name?: string; readonly provider?: string; readonly baseUrl?: string };
}

/** `hermes config`. Paths are dotted. Every value remembers where it came from. */
export interface ConfigDesk {
  readonly file: string;
  /** Where keys are kept. */
  readonly envFile: string;
  /** Every mistake of the files with its place, and what they set that nothing reads. */
  check(): { readonly problems: readonly { readonly file: string; readonly line: number | undefined; readonly column: number | undefined; readonly text: string; readonly hint?: string }[]; readonly unused: readonly string[] };
  get(path: string): Json | undefined;
  /** The value as people may see it on a screen: keys, tokens and passwords masked. */
  shown(path: string): Json | undefined;
  /** @throws {UserError} naming the nearest key, when there is no such setting. */
  explain(path: string): { readonly value: Json | undefined; readonly source: "default" | "file" | "profile" | "environment" | "flag" | "unset"; readonly where?: string; readonly description?: string; readonly allowed?: string };
  /** Validates, keeps comments, writes atomically. @throws {UserError} naming allowed values and the nearest key. */
  set(path: string, value: string): Promise<void>;
  /** @throws {UserError} naming the nearest key, when it is neither a setting nor in the file. */
  unset(path: string): Promise<boolean>;
  /**
   * Takes in what was changed in the files since they were read; asked before each turn. A file that is wrong changes nothing, and what the
   * agent may do (approvals, security, plugins) stays as it was when the process began.
   * @returns What a person should be told of it.
   */
  refresh(): Promise<readonly Notice[]>;
  /** A variable of `.env` or the process, whatever it is. */
  hasVariable(name: string): boolean;
  /** Kept in `.env`. */
  setVariable(name: string, value: string): Promise<void>;
  /** All known keys, for listings and completion. */
  keys(): readonly { readonly path: string; readonly description: string; readonly default: Json | undefined }[];
}

export interface ToolListing {
  readonly declaration: ToolDeclaration;
  readonly owner: string;
  readonly enabled: boolean;
  readonly availability: Availability;
}

export interface ToolDesk {
  list(options: { readonly surface: string; readonly person: boolean }): Promise<readonly ToolListing[]>;
  get(name: string): ToolDeclaration | undefined;
  toolsets(): readonly (Toolset & { readonly resolved: readonly string[]; readonly enabled: boolean })[];
  /** A toolset or tool name, kept in `config.yaml` for the surface's platform. */
  enable(name: string, surface: string): Promise<void>;
  disable(name: string, surface: string): Promise<void>;
}

export interface PluginListing {
  readonly manifest: PluginManifest;
  /** `name`, or `category/name`. */
  readonly key: string;
  readonly dir: string;
  readonly source: "bundled" | "user" | "project" | "npm" | "python";
  readonly state: "enabled" | "disabled" | "not enabled" | "failed" | "shadowed";
  /** Why it is not running, in one sentence. */
  readonly reason?: string;
  /** Where `hermes plugins install` fetched it, and the commit or version that was. */
  readonly from?: string;
  readonly resolved?: string;
  /** Variables of its manifest that are not set. */
  readonly unset: readonly string[];
  /** Python packages that it needs and its Python does not have, as pip writes them. Absent when there are none. */
  readonly lacking?: readonly string[];
  readonly registered: {
    readonly tools: readonly string[];
    readonly hooks: readonly string[];
    readonly commands: readonly string[];
    readonly cli: readonly string[];
    readonly skills: readonly string[];
    readonly providers: readonly string[];
  };
}

/** Errors fail `hermes plugins check`; warnings are worth knowing. */
export interface PluginProblem {
  readonly level: "error" | "warning";
  readonly text: string;
}

/** A call as a model made it once. `expect` is the whole result, `fails` a part of the error it ends with. */
export interface RecordedCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly expect?: Json;
  readonly fails?: string;
}

export interface PluginTestReport {
  readonly key: string;
  readonly tools: readonly {
    readonly name: string;
    /** What its schema costs in every request, about. */
    readonly tokens: number;
    readonly checks: readonly { readonly what: string; readonly ok: boolean; readonly detail: string }[];
  }[];
}

/** What `/reload` did. What is in neither list goes on undisturbed. */
export interface ReloadReport {
  /** Started anew, or tried: those that failed say so. */
  readonly started: readonly PluginListing[];
  readonly stopped: readonly string[];
  readonly ms: number;
}

export interface InstallOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Branch, tag or commit of a git repository. */
  readonly ref?: string;
  /** Takes the place of what lies there. */
  readonly force?: boolean;
}

/** A plugin that was fetched and looked at, and is not installed yet. Nothing of it has run. */
export interface PluginInstall extends AsyncDisposable {
  readonly key: string;
  readonly manifest: PluginManifest;
  /** Where it will lie. */
  readonly dir: string;
  readonly from: string;
  /** The commit or version it is. */
  readonly resolved: string;
  readonly hash: string;
  /** What its manifest asks for, in sentences; `added` and `removed` compare with what is installed. */
  readonly grants: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** What was found in the skills it brings that a person should look at first; nothing is installed without a yes to it. */
  readonly doubts: readonly string[];
  /** The version that lies there now. */
  readonly replaces?: string;
  /** What lies there is the same. */
  readonly unchanged: boolean;
  /** Variables it needs that are not set. */
  readonly missing: PluginManifest["requires_env"];
  /** What its author has to say to whoever installed it. */
  readonly afterInstall?: string;
  commit(): Promise<PluginListing>;
}

export interface PluginDesk {
  list(): Promise<readonly PluginListing[]>;
  /** Makes the snapshot. `replaces` are built-in tools it would take over; enabling then needs `allowReplace`. */
  enable(name: string, options?: { readonly allowReplace?: boolean }): Promise<{ readonly listing: PluginListing; readonly replaces: readonly string[]; readonly withheld: readonly string[] }>;
  disable(name: string): Promise<PluginListing>;
  /** @throws {UserError} that names the nearest, when there is none of that name. */
  info(name: string): Promise<PluginListing>;
  /** One by name, or the one in a folder: its `register` is run for it. Without a name all, and only those that are enabled are run. */
  check(name?: string): Promise<readonly { readonly key: string; readonly dir: string; readonly problems: readonly PluginProblem[] }[]>;
  /** Installs the Python packages that it needs, from wheels, into an environment that no other plugin has. */
  installPackages(name: string, signal: AbortSignal): Promise<PluginListing>;
  /** Fetches from `owner/repo`, a Git URL, a folder, an archive, `npm:NAME` or `pypi:NAME`. */
  install(from: string, options: InstallOptions): Promise<PluginInstall>;
  /** Fetches an installed one again, from where it came. */
  update(name: string, options: Pick<InstallOptions, "cwd" | "signal">): Promise<PluginInstall>;
  /** Deletes its files and everything the settings say of it. */
  remove(name: string): Promise<PluginListing>;
  /** Makes a plugin that works as it stands. @returns its folder, `folder` (default: the home's plugins) with its name. */
  create(name: string, options: { readonly python: boolean; readonly folder?: string }): Promise<string>;
  /** Runs the plugin in this folder as it lies there and loads each change; `told` after each. */
  develop(folder: string, told: (report: ReloadReport) => void): Promise<Disposable & { readonly listing: PluginListing; readonly report: ReloadReport }>;
  /** Runs the handlers of its tools: recorded calls, wrong arguments, faults, refusal, cancel. */
  test(name: string, options: { readonly signal: AbortSignal; readonly recorded?: readonly RecordedCall[] }): Promise<PluginTestReport>;
  /** Takes in what changed in the plugins' folders, `.env` and `config.yaml`. Open sessions keep their tool lists. */
  reload(): Promise<ReloadReport>;
}

export interface SessionSummary {
  readonly id: string;
  readonly title: string | undefined;
  readonly surface: string;
  readonly cwd: string;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly turns: number;
  readonly messages: number;
  readonly toolCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | undefined;
  readonly model: string | undefined;
  readonly preview: string;
  /** Its last turn started and did not end. */
  readonly interrupted: boolean;
  readonly parentId: string | undefined;
}

export interface SessionDesk {
  list(options?: { readonly limit?: number; readonly surface?: string }): Promise<readonly SessionSummary[]>;
  /** By id, unique start of an id, or title. @throws {UserError} that lists the candidates. */
  find(idOrTitle: string): Promise<SessionSummary>;
  /** In which something was said: a tool called by hand leaves a session that nobody goes on with. */
  latest(surface?: string): Promise<SessionSummary | undefined>;
  view(id: string): Promise<SessionView>;
  facts(id: string): AsyncIterable<Recorded>;
  /** By words, newest first. `snippet` marks hits with `>>>` and `<<<`. */
  search(words: string, options?: { readonly limit?: number }): Promise<readonly { readonly session: SessionSummary; readonly seq: number; readonly role: string; readonly snippet: string; readonly at: number }[]>;
  rename(id: string, title: string): Promise<void>;
  /** A copy up to `seq` (default: all) that goes its own way. */
  branch(id: string, seq?: number): Promise<SessionSummary>;
  remove(id: string): Promise<void>;
  prune(options: { readonly olderThanMs: number; readonly dryRun?: boolean }): Promise<readonly SessionSummary[]>;
}

/** What may run, asked before anything does. Answers are those of the chain a call goes through, without a session's grants. */
export interface ApprovalDesk {
  explain(command: string, options: { readonly cwd: string; readonly surface?: string }): Promise<ApprovalExplanation>;
  answer(command: string, options: { readonly cwd: string; readonly surface?: string }): Promise<ApprovalAnswer["answer"]>;
  rules(): Promise<readonly ApprovalRule[]>;
  /** Takes a rule out of `config.yaml`. @throws {UserError} There is none of that text. */
  revoke(rule: string): Promise<void>;
  /** Commands of the newest sessions whose answer a change of policy would change. */
  whatIf(change: PolicyChange, options: { readonly sessions: number }): Promise<WhatIf>;
}

export interface ApprovalAnswer {
  readonly answer: "runs" | "asks" | "refused";
  /** The rule, setting or person that gives it. */
  readonly by: string;
}

export interface ApprovalExplanation extends ApprovalAnswer {
  readonly command: string;
  readonly cwd: string;
  readonly where?: string;
  /** Classes of harm; empty for a command that nobody is asked about. */
  readonly key: string;
  readonly reasons: readonly string[];
  readonly effects: readonly string[];
  readonly counts: readonly string[];
  /** Every simple command as the shell would run it. */
  readonly commands: readonly string[];
  readonly decoded: readonly string[];
  /** What "always" would store. */
  readonly rule?: string;
  /** Where commands run in a sandbox: what that makes calmer, and what leaving it takes. */
  readonly sandbox?: readonly string[];
  /** What would make it run; empty when it does. */
  readonly passes: readonly string[];
}

export interface ApprovalRule {
  readonly list: "allow" | "deny";
  readonly rule: string;
  readonly examples: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly from: string;
  /** Which of its own examples it does not keep. */
  readonly problem?: string;
}

export interface PolicyChange {
  readonly mode?: "manual" | "smart" | "off" | "deny";
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Rules that are taken out. */
  readonly without?: readonly string[];
}

export interface WhatIfRow {
  readonly command: string;
  /** The first session it ran in. */
  readonly sessionId: string;
  readonly times: number;
  readonly before: ApprovalAnswer;
  readonly after: ApprovalAnswer;
}

export interface WhatIf {
  /** How many were looked at. */
  readonly commands: number;
  readonly changed: readonly WhatIfRow[];
}

export interface ModelDesk {
  /** What a turn would use now and why. */
  current(): Promise<{ readonly provider: string; readonly model: string; readonly baseUrl: string | undefined; readonly source: string; readonly offline: boolean; /** What a person should be told once: no model is configured, and how to connect one. */ readonly notice?: string }>;
  providers(): Promise<readonly { readonly id: string; readonly label: string; readonly keyEnv: readonly string[]; readonly ready: boolean; readonly reason?: string }[]>;
  /** OpenAI-compatible servers that answer on their usual local ports. */
  findLocal(signal: AbortSignal): Promise<readonly { readonly name: string; readonly baseUrl: string; readonly models: readonly string[] }[]>;
  list(provider: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Whether the service of the current model answers and takes the key. @throws {UserError} that says why not. */
  probe(signal: AbortSignal): Promise<void>;
  choose(choice: { readonly provider: string; readonly model: string; readonly baseUrl?: string; readonly apiKey?: string }): Promise<void>;
}

