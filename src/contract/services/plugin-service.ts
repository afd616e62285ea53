import type { Json, JsonObject } from "../common/json.ts";
import type { PluginManifest } from "../plugins/plugin.ts";

export interface PluginService {
  list(): Promise<readonly PluginListing[]>;
  /**
   * Builds the snapshot. `replaces` lists built-in tools that it overrides without approval yet, with the plugins that
   * provide them; it `waits`, not enabled, until `allowReplace` names each of them or is `true`. `shared` are tools
   * that another of the user's plugins also registers. `faults` are the errors that `check` finds in its registrations,
   * as sentences.
   */
  enable(
    name: string,
    options?: { readonly allowReplace?: boolean | readonly string[] },
  ): Promise<{
    readonly listing: PluginListing;
    readonly replaces: readonly OwnedTool[];
    readonly waits: boolean;
    readonly withheld: readonly string[];
    readonly shared: readonly OwnedTool[];
    readonly faults: readonly string[];
  }>;
  /**
   * `undefined` when `plugins.enabled` named it and there is no such plugin: then the name is taken out, which is all
   * there was of it.
   */
  disable(name: string): Promise<PluginListing | undefined>;
  /** @throws {UserError} that names the nearest, when there is none of that name. */
  info(name: string): Promise<PluginListing>;
  /**
   * Stores whether a plugin from elsewhere may call these tools: `allow`, `never`, or `ask` at its next call. A tool that
   * its manifest requests and that shall be asked for again becomes `never`.
   * @throws {UserError} The plugin is the user's own, which no grant limits.
   */
  decideTools(
    name: string,
    tools: readonly string[],
    decision: "allow" | "never" | "ask",
  ): Promise<{ readonly key: string; readonly calls: ToolCalls }>;
  /**
   * One by name, or the one in a folder: its `register` is run for it. Without a name all, and only those that are
   * enabled are run.
   */
  check(
    name?: string,
  ): Promise<readonly { readonly key: string; readonly dir: string; readonly problems: readonly PluginProblem[] }[]>;
  /** Installs the Python packages that it needs into an environment that no other plugin has. */
  installPackages(name: string, options: Pick<InstallOptions, "signal" | "build">): Promise<PluginListing>;
  /** Fetches from `owner/repo`, a Git URL, a folder, an archive, `npm:NAME` or `pypi:NAME`. */
  install(from: string, options: InstallOptions): Promise<PluginInstall>;
  /** Fetches an installed one again, from where it came. */
  update(name: string, options: Pick<InstallOptions, "cwd" | "signal" | "build">): Promise<PluginInstall>;
  /** Deletes its files and everything the settings say of it. */
  remove(name: string): Promise<PluginListing>;
  /**
   * Makes a plugin that works as it stands. @returns its folder, `folder` (default: the home's plugins) with its name.
   */
  create(name: string, options: { readonly python: boolean; readonly folder?: string }): Promise<string>;
  /** Runs the plugin from this folder and reloads it on each change; calls `told` after each. */
  develop(
    folder: string,
    message: (report: ReloadReport) => void,
  ): Promise<Disposable & { readonly listing: PluginListing; readonly report: ReloadReport }>;
  /** Runs the handlers of its tools: recorded calls, wrong arguments, faults, refusal, cancel. */
  test(
    name: string,
    options: { readonly signal: AbortSignal; readonly recorded?: readonly RecordedCall[] },
  ): Promise<PluginTestReport>;
  /** Takes in what changed in the plugins' folders, `.env` and `config.yaml`. Open sessions keep their tool lists. */
  reload(): Promise<ReloadReport>;
}

/**
 * Reasons why a plugin does not run: the user switched it `off`, or was not `asked` yet; no setting has `chosen` it;
 * the user does not `trust` its content yet, or it has `changed` since; it lacks `variables`, or `means` on this
 * machine.
 */
export type PluginStop = "off" | "asked" | "chosen" | "trust" | "changed" | "variables" | "means";

export interface OwnedTool {
  readonly tool: string;
  /** The plugin's key. */
  readonly owner: string;
}

/** The tools that a plugin from elsewhere calls. */
export interface ToolCalls {
  /** Requested by its manifest, or allowed by the user. */
  readonly allowed: readonly string[];
  readonly never: readonly string[];
  /** Tools that the plugin's code names and the user has not decided on: the first call of each asks the user. */
  readonly asks: readonly string[];
  /** The plugin's code also computes tool names, so this list may be incomplete. */
  readonly others: boolean;
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
  /** Machine-readable form of `reason`, if the cause is a user's decision or something missing. */
  readonly because?: PluginStop;
  /** Where `hermes plugins install` fetched it, and the commit or version that was. */
  readonly from?: string;
  readonly resolved?: string;
  /** Variables of its manifest that are not set. */
  readonly unset: readonly string[];
  /** Packages that it needs and that are not installed, as pip or npm writes them. Absent when there are none. */
  readonly lacking?: readonly string[];
  /** Absent: `lacking` are Python packages. */
  readonly lackingFrom?: "npm";
  /** Where its code runs, in words: `the agent`, `a Python process`. Only where one plugin was asked for. */
  readonly runsIn?: string;
  /**
   * Members of the context that its code names and that it cannot have where it runs: file, line, why, and what to do
   * instead.
   */
  readonly refused?: readonly string[];
  /**
   * Secrets that its code reads and that it does not get: `withheld` are set but not passed, `missing` are not set.
   * Absent when there are none. Only where one plugin was asked for.
   */
  readonly secrets?: { readonly withheld: readonly string[]; readonly missing: readonly string[] };
  /** Absent for the user's own plugins, which may call every tool. Only where one plugin was asked for. */
  readonly calls?: ToolCalls;
  readonly registered: {
    readonly tools: readonly string[];
    readonly hooks: readonly string[];
    readonly commands: readonly string[];
    readonly cli: readonly string[];
    readonly skills: readonly string[];
    readonly providers: readonly string[];
    readonly toolsets: readonly string[];
    readonly middleware: readonly string[];
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
    /** Approximate cost of its schema in every request. */
    readonly tokens: number;
    readonly checks: readonly { readonly what: string; readonly ok: boolean; readonly detail: string }[];
  }[];
}

/** What `/reload` did. Plugins in neither list keep running. */
export interface ReloadReport {
  /** Restarted, or attempted: failed ones say so. */
  readonly started: readonly PluginListing[];
  readonly stopped: readonly string[];
  /** What `check` calls errors of what those registered, in sentences. */
  readonly faults: readonly string[];
  readonly ms: number;
}

export interface InstallOptions {
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Branch, tag or commit of a git repository. */
  readonly ref?: string;
  /** Replaces the installed version. */
  readonly force?: boolean;
  /**
   * Python packages that are only there as their source are built, which runs their code. Without it only wheels are
   * taken.
   */
  readonly build?: boolean;
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
  /** The permissions its manifest requests, as sentences; `added` and `removed` compare with the installed version. */
  readonly grants: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Tools that its code calls and its manifest does not request: their first call asks the user. */
  readonly asks: readonly string[];
  /** Findings in its skills that the user should read first; nothing is installed without approval of them. */
  readonly doubts: readonly string[];
  /** Parts of it that are not installed, one sentence each. */
  readonly leftOut: readonly string[];
  /** The installed version. */
  readonly replaces?: string;
  /** The installed content is identical. */
  readonly unchanged: boolean;
  /** Variables it needs that are not set. */
  readonly missing: PluginManifest["requires_env"];
  /** The plugin author's message to the user who installs the plugin. */
  readonly afterInstall?: string;
  commit(): Promise<PluginListing>;
}
