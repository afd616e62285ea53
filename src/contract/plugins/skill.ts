import type { JsonObject } from "../common/json.ts";

/** A skill that a plugin brings along. */
export interface PluginSkill {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  /** Absolute path of its `SKILL.md`. */
  readonly path: string;
  readonly description?: string;
}

/** A folder with a `SKILL.md`, as listings know it: what its text says is read when it is asked for. */
export interface Skill {
  /** The name in its frontmatter, or else of its folder. */
  readonly name: string;
  readonly description: string;
  /** The first folder of its path; absent for a skill at the top of its source. */
  readonly category?: string;
  /** Absolute. */
  readonly folder: string;
  /** Path relative to the root of its source: `devops/deploy`. */
  readonly path: string;
  /** `home`: it may be changed. `outside`: of a folder in `skills.external_dirs`, only read. */
  readonly source: "home" | "outside";
  /** Problems of its frontmatter. */
  readonly problem?: string;
  /** Why listings leave it out. `shadowed`: one of its name comes before it. */
  readonly hidden?: { readonly kind: "disabled" | "platform" | "environment" | "shadowed"; readonly why: string };
  /** When the prompt's index leaves it out, by tools and toolsets that are there or not. */
  readonly conditions?: SkillConditions;
}

export interface SkillConditions {
  readonly requires_tools?: readonly string[];
  readonly requires_toolsets?: readonly string[];
  readonly fallback_for_tools?: readonly string[];
  readonly fallback_for_toolsets?: readonly string[];
}

/** The frontmatter of a `SKILL.md`. Parsing never fails; problems are listed. */
export interface SkillHead {
  readonly data: JsonObject;
  /** The text after the frontmatter. */
  readonly body: string;
  readonly problem?: string;
}

/** Findings in a skill's text that would make the agent do harm. */
export interface SkillVerdict {
  readonly verdict: "safe" | "caution" | "dangerous";
  /** A sentence each with its place, the gravest first. */
  readonly reasons: readonly string[];
  /** Notes that do not change the verdict. */
  readonly minor: readonly string[];
}

/** A fetched skill, as plain files. */
export interface FetchedSource {
  readonly root: string;
  /** The repository's address, or the folder. */
  readonly url: string;
  readonly commit?: string;
  /** The way to one skill of it that was asked for. */
  readonly path?: string;
}

/** Where a skill is sent. */
export interface PublishRequest {
  /** `owner/repo`, a Git URL or a folder. */
  readonly repo: string;
  /** The folder in it that becomes this skill's. */
  readonly path: string;
  readonly branch: string;
  /** Message of the commit. */
  readonly message: string;
}

export interface Published {
  readonly url: string;
  readonly branch: string;
  /** The repository had one in this place. */
  readonly known: boolean;
  /** Absent: what it had is the same. */
  readonly commit?: string;
}

/** The skills there are: the home's, those of folders outside it, those of plugins. */
export interface SkillShelf {
  /** `~/.hermes/skills`. It need not exist. */
  readonly folder: string;
  /** Folder of the skills that ship with Hermes. Hermes copies each into the home once. */
  readonly bundled: string;
  /** Installs bundled skills into the home that were never there, and updates those that the user did not change. */
  seed(): Promise<void>;
  /** Runs `seed` again, although it already ran in this process. */
  reseed(): Promise<void>;
  /**
   * Keeps in `config.yaml` whether a skill is listed and loaded, everywhere or on one platform. @returns whether that
   * changed anything.
   */
  setEnabled(name: string, on: boolean, platform?: string): Promise<boolean>;
  /** By category and name. Of two with one name the first counts, the home's before others. */
  all(): Promise<readonly Skill[]>;
  /** Folders that hold skills: the home's first. */
  roots(): readonly string[];
  head(text: string): Promise<SkillHead>;
  /** Whether a variable has a value; the value itself is not returned. */
  has(variable: string): boolean;
  /** Judges a folder, or texts by the paths they would have in it, by their content alone. Nothing is run. */
  judge(what: string | { readonly [path: string]: string }): Promise<SkillVerdict>;
  /**
   * Fetches `owner/repo`, a Git URL or a folder into a folder of the caller's. Nothing of it is run.
   * @throws {UserError} when that cannot be done.
   */
  fetch(from: string, into: string, signal: AbortSignal): Promise<FetchedSource>;
  /**
   * Pushes a folder to a Git repository as one commit, with the user's git and credentials.
   * @param stage An empty folder to work in.
   * @throws {UserError} if that fails; then nothing was pushed.
   */
  publish(folder: string, request: PublishRequest, stage: string, signal: AbortSignal): Promise<Published>;
  /** By `plugin:skill`. */
  ofPlugins(): readonly { readonly name: string; readonly value: PluginSkill }[];
  /** What would let a plugin run that is there and does not; `undefined` when there is none of that name. */
  asleep(plugin: string): Promise<string | undefined>;
}
