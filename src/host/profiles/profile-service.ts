import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { UserError } from "../../contract/common/failure.ts";
import { objectOf } from "../../contract/common/is-object.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { CreateProfile, ProfileInfo, ProfileService } from "../../contract/services/profile-service.ts";
import { createBackup } from "../backup/create-backup.ts";
import { copyDatabase } from "../store/repair/copy-database.ts";
import { homeFiles } from "../backup/home-files.ts";
import { openBackup } from "../backup/read-backup.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { writeAtomically } from "../config/write-atomically.ts";
import { openEnvironment } from "../environment/environment.ts";
import { listProfiles, resolveHome, type Home } from "../environment/home.ts";
import { makeFolder } from "../environment/make-folder.ts";
import { unpack } from "../plugins/install/unpack.ts";
import { walkSkills } from "../skills/walk-skills.ts";
import { stateFile } from "../store/facts/store-files.ts";
import { takeSystemLock } from "../store/facts/system-lock.ts";
import { aliasesOf, removeAliases, writeAlias, type AliasPorts } from "./profile-aliases.ts";
import { checkNewName, homeOfProfile } from "./profile-names.ts";

export interface ProfilePorts extends AliasPorts {
  /** The home of this process. */
  readonly home: Home;
  readonly version: string;
  readonly now: () => number;
  readonly log: Logger;
  /** Whether `hermes WORD` is a command. */
  readonly isCommand: (word: string) => boolean;
  /** Copies the store of this process's home into a new file. */
  readonly backupOwn: (target: string) => Promise<unknown>;
}

/** Copied by `--clone`. */
const SETTINGS = ["config.yaml", ".env", "SOUL.md", "memories", "skills"] as const;
const ABOUT = "profile.yaml";
const NO_SKILLS = ".no-bundled-skills";

export function createProfileService(ports: ProfilePorts): ProfileService {
  const { root } = ports;
  const profiles = join(root, "profiles");

  function info(name: string): ProfileInfo {
    const home = homeOfProfile(name, root);
    return {
      name,
      home,
      current: home === ports.home.path,
      sticky: name === stickyOf(root),
      description: text(yamlOf(join(home, ABOUT))["description"]),
      model: modelOf(home),
      gateway: isServing(home),
      skills: existsSync(join(home, "skills")) ? walkSkills(join(home, "skills")).length : 0,
      hasEnv: existsSync(join(home, ".env")),
      hasSoul: existsSync(join(home, "SOUL.md")),
      aliases: name === "default" ? [] : aliasesOf(name, ports),
    };
  }

  /** Makes a profile's home in one step: `fill` works in a hidden folder. */
  async function make(name: string, fill: (folder: string) => void | Promise<void>): Promise<ProfileInfo> {
    checkNewName(name, root, ports.isCommand);
    makeFolder(profiles);
    const stage = join(profiles, `.new-${process.pid}-${name}`);
    rmSync(stage, { recursive: true, force: true });
    mkdirSync(stage, { mode: 0o700 });
    try {
      await fill(stage);
      renameSync(stage, join(profiles, name));
    } finally {
      rmSync(stage, { recursive: true, force: true });
    }
    return info(name);
  }

  function refuseBusy(name: string, verb: string): ProfileInfo {
    const found = info(name);
    if (name === "default")
      throw new UserError(`The default profile cannot be ${verb}.`, { hint: "Name another profile.", exitCode: 2 });
    if (found.current)
      throw new UserError(`The profile "${name}" is in use by this command.`, {
        hint: `Select another one for it: hermes -p default profile … ${name}`,
      });
    if (found.gateway)
      throw new UserError(`The gateway of "${name}" is running. Nothing was changed.`, {
        hint: `Stop it first: hermes -p ${name} gateway stop`,
      });
    return found;
  }

  const setSticky = (name: string): void => {
    if (name === "default") rmSync(join(root, "active_profile"), { force: true });
    else writeAtomically(join(root, "active_profile"), `${name}\n`);
  };

  return {
    list: async () => ["default", ...listProfiles(root)].map(info),
    show: async (name) => info(name),
    create: (name, options = {}) => make(name, (folder) => fillNew(folder, options, ports)),
    use: async (name) => {
      homeOfProfile(name, root);
      setSticky(name);
      return info(name);
    },
    describe: async (name, description) => writeAbout(homeOfProfile(name, root), description),
    rename: async (name, to) => {
      const { home, sticky, aliases } = refuseBusy(name, "renamed");
      checkNewName(to, root, ports.isCommand);
      renameSync(home, join(profiles, to));
      if (sticky) setSticky(to);
      removeAliases(name, undefined, ports);
      for (const alias of aliases) writeAlias(to, alias === name ? to : alias, ports);
      return info(to);
    },
    remove: async (name) => {
      const found = refuseBusy(name, "deleted");
      removeAliases(name, undefined, ports);
      if (found.sticky) setSticky("default");
      // Hidden first: if deleting is interrupted, no half profile is listed.
      const gone = join(profiles, `.new-${process.pid}-${name}`);
      renameSync(found.home, gone);
      rmSync(gone, { recursive: true, force: true });
      return found;
    },
    alias: async (name, as = name) => {
      homeOfProfile(name, root);
      return writeAlias(name, as, ports);
    },
    removeAlias: async (name, as) => removeAliases(name, as, ports),
    export: async (name, file) => {
      const home = homeOfProfile(name, root);
      return createBackup(
        { file, withSecrets: false, withProfiles: false },
        {
          ...ports,
          home,
          profile: name,
          secretValues: openEnvironment({ home: homeAt(name, ports), process: {} }).secretValues(),
          backupOwn: home === ports.home.path ? ports.backupOwn : undefined,
        },
      );
    },
    import: (file, name) => importProfile(resolve(file), name, make, ports),
  };
}

async function fillNew(folder: string, options: CreateProfile, ports: ProfilePorts): Promise<void> {
  if (options.copy !== undefined) {
    const from = options.from === undefined ? ports.home.path : homeOfProfile(options.from, ports.root);
    if (options.copy === "all") await copyAll(from, folder);
    else
      for (const name of SETTINGS)
        if (existsSync(join(from, name))) cpSync(join(from, name), join(folder, name), { recursive: true });
  }
  if (options.noSkills === true) writeAtomically(join(folder, NO_SKILLS), "");
  if (options.description !== undefined) writeAbout(folder, options.description);
}

/** Everything that a backup contains, with keys, without sessions and other profiles. */
async function copyAll(from: string, folder: string): Promise<void> {
  const store = stateFile(from);
  for (const { path, kind } of homeFiles(from, { withSecrets: true, secretValues: [] }).files) {
    if (path.startsWith("profiles/") || path === "active_profile" || join(from, path) === store) continue;
    makeFolder(dirname(join(folder, path)));
    if (kind === "file") copyFileSync(join(from, path), join(folder, path));
    else await copyDatabase(join(from, path), join(folder, path));
  }
}

type Make = (name: string, fill: (folder: string) => void | Promise<void>) => Promise<ProfileInfo>;

async function importProfile(
  file: string,
  name: string | undefined,
  make: Make,
  ports: ProfilePorts,
): Promise<ProfileInfo> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UserError(`There is no file ${file}.`, { exitCode: 2 });
  if (/\.(?:tar\.gz|tgz|tar)$/.test(file)) {
    // An archive of the original: one folder with the name of the profile.
    return make(name ?? basename(file).replace(/\.(?:tar\.gz|tgz|tar)$/, ""), (folder) => {
      const unpacked = join(folder, ".unpacked");
      mkdirSync(unpacked);
      unpack(file, unpacked);
      const [top, ...more] = readdirSync(unpacked);
      if (top === undefined || more.length > 0 || !statSync(join(unpacked, top)).isDirectory())
        throw new UserError(`${file} is not the archive of a profile: it must contain one folder.`);
      for (const one of readdirSync(join(unpacked, top))) renameSync(join(unpacked, top, one), join(folder, one));
      rmSync(unpacked, { recursive: true });
    });
  }
  const exported = await (async () => {
    await using backup = await openBackup(file);
    return backup.contents.profile;
  })();
  const wanted = name ?? exported;
  if (wanted === undefined || wanted === "default" || wanted === "custom")
    throw new UserError(`${file} does not name a profile.`, {
      hint: `Name it: hermes profile import ${basename(file)} --name NAME`,
      exitCode: 2,
    });
  return make(wanted, async (folder) => {
    await restoreBackup(
      file,
      { force: false },
      { home: folder, isProfile: true, now: ports.now, takeSeat: async () => ({ [Symbol.dispose]: () => undefined }) },
    );
  });
}

function homeAt(name: string, { root, userHome }: ProfilePorts): Home {
  return resolveHome({ env: { HERMES_HOME: root }, userHome, profile: name });
}

function stickyOf(root: string): string {
  try {
    return readFileSync(join(root, "active_profile"), "utf8").trim() || "default";
  } catch {
    return "default"; // No profile was selected permanently.
  }
}

/** Whether a gateway of that home runs: it holds a lock. */
function isServing(home: string): boolean {
  const file = join(home, "gateway.lock");
  if (!existsSync(file)) return false;
  const lock = takeSystemLock(file);
  lock?.[Symbol.dispose]();
  return lock === undefined;
}

function modelOf(home: string): string | undefined {
  const model = yamlOf(join(home, "config.yaml"))["model"];
  return text(typeof model === "string" ? model : objectOf(model)["default"]);
}

function yamlOf(file: string): { readonly [key: string]: unknown } {
  try {
    return objectOf(parse(readFileSync(file, "utf8")) as never);
  } catch {
    return {}; // Missing, or not YAML: `hermes -p NAME config check` reports that.
  }
}

function writeAbout(home: string, description: string): void {
  writeAtomically(join(home, ABOUT), `description: ${JSON.stringify(description)}\ndescription_auto: false\n`);
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
