import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { PluginService, PluginListing, PluginProblem } from "../../../contract/services/plugin-service.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { SettingsEdit } from "../../config/edit-settings.ts";
import { nearest } from "../../../contract/common/nearest.ts";
import type { CheckPorts } from "./check-plugin.ts";
import { withheldFromTools } from "../discovery/declared-variables.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import type { InstallPorts } from "../install/prepare-install.ts";
import type { PluginHost, PluginPorts } from "../registry/plugin-host.ts";
import { missingKind } from "../discovery/kind-guess.ts";
import { entryModule, entryText, manifestFile } from "../discovery/plugin-files.ts";
import { programLack } from "../discovery/plugin-program.ts";
import type { HostKind } from "../registry/plugin-hosts.ts";
import type { PluginServices } from "../registry/plugin-services.ts";
import { recordPlugin, type RecordPorts } from "../registry/record-plugin.ts";
import type { Registered } from "../registry/registered.ts";
import { agreementTo, builtInOwner, mayReplace, replacedTools } from "../consent/replaced-tools.ts";
import { isOutdated, withGiven, withheldOf } from "../discovery/variables-read.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/** `hermes plugins`: the plugins, and the two lists in `config.yaml`. A change takes effect with the next start. */
export function createPluginService(
  ports: PluginPorts,
  host: Pick<
    PluginHost,
    "listing" | "tools" | "commands" | "cli" | "reload" | "unload" | "slots" | "declaredEnv" | "faults"
  >,
  services: () => PluginServices,
): PluginService {
  const { log, clock, home, hosts, reserved } = ports;
  const { index, pins, path, unread } = ports.installed;
  const { config, environment } = ports.settings;
  const recording = (to: Logger): RecordPorts => ({ config, environment, log: to, clock, hosts, tools: host.tools });
  const setting = (path: string) => config.get(path);
  const builtIns = {
    get bundled() {
      return index.bundled;
    },
    owner: (tool: string) => host.tools.owner(tool),
  };
  const all = (): readonly FoundPlugin[] => [...index.bundled, ...index.own];

  return {
    async list() {
      await index.rescan("ask-python");
      return (await Promise.all(all().map(look))).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    },

    async enable(name, options = {}) {
      await index.rescan("ask-python");
      const plugin = find(name);
      if (plugin.broken !== undefined) throw new UserError(`The plugin "${plugin.key}" cannot run: ${plugin.broken}`);
      const lacks = lackOf(plugin, path);
      if (lacks !== undefined) throw new UserError(`The plugin "${plugin.key}" cannot run: ${lacks}.`);
      const missing = plugin.manifest.requires_env.filter((need) => environment.get(need.name) === undefined);
      // Without its variables it may not even register; the question about built-ins then waits for a start that has
      // them.
      const known =
        plugin.registered === undefined ||
        isOutdated(plugin.registered, withGiven(plugin, config).manifest, environment)
          ? undefined
          : plugin.registered;
      const registered =
        known ??
        (missing.length > 0
          ? undefined
          : await recordPlugin(plugin, recording(log)).catch((cause: unknown) => rejectWithNeeds(cause, plugin)));
      if (registered !== undefined && known === undefined) index.remember(plugin, registered);
      const changed = pins.refusal(plugin) !== undefined;
      const replaces = replacedTools(registered, builtIns).filter(
        ({ tool }) => !mayReplace(plugin, tool, setting, changed),
      );
      const agreedNow = Array.isArray(options.allowReplace) ? options.allowReplace : [];
      const waiting = replaces
        .filter(({ tool }) => options.allowReplace !== true && !agreedNow.includes(tool))
        .map(({ tool }) => tool);
      if (waiting.length > 0) {
        index.save();
        return {
          listing: {
            ...withoutCause(host.listing(plugin)),
            state: "not enabled",
            reason: `it would replace built-in tools: ${waiting.join(", ")}`,
          },
          replaces,
          waits: true,
          withheld: [],
          shared: [],
          faults: [],
        };
      }
      const edits: SettingsEdit[] = [
        { kind: "list", path: "plugins.disabled", remove: [plugin.key, plugin.manifest.name] },
      ];
      if ((plugin.source !== "bundled" || plugin.manifest.opt_in === true) && plugin.source !== "project")
        edits.push({ kind: "list", path: "plugins.enabled", add: [plugin.key] });
      if (replaces.length > 0)
        edits.push(
          agreementTo(
            plugin.key,
            replaces.map(({ tool }) => tool),
            setting,
          ),
        );
      const shared = (registered?.tools ?? []).flatMap(({ name: tool }) => {
        const owner = host.tools.owner(tool);
        return owner === undefined || owner === plugin.key || builtInOwner(tool, builtIns) !== undefined
          ? []
          : [{ tool, owner }];
      });
      await agreeToContent(plugin);
      await config.edit(edits);
      index.save();
      return {
        listing: host.listing(find(plugin.key)),
        replaces,
        waits: false,
        withheld: await withheldFrom(plugin, registered),
        shared,
        faults: registered === undefined ? [] : host.faults(plugin, registered),
      };
    },

    async disable(name) {
      await index.rescan("ask-python");
      if (isOnlyNamed(name)) {
        await config.edit([{ kind: "list", path: "plugins.enabled", remove: [name] }]);
        return undefined;
      }
      const plugin = find(name);
      await config.edit([
        { kind: "list", path: "plugins.enabled", remove: [plugin.key, plugin.manifest.name] },
        // A project's plugin is enabled by a pin alone, because a name in this list would apply to other projects too.
        ...(plugin.source === "project"
          ? []
          : [{ kind: "list", path: "plugins.disabled", add: [plugin.key] } as const]),
      ]);
      if (plugin.source === "project") await pins.remove(plugin.dir);
      index.save();
      return host.listing(plugin);
    },

    async info(name) {
      await index.rescan("ask-python");
      const plugin = find(name);
      const { isMovedIntoAgent } = await import("../discovery/members-used.ts");
      const kind = hosts?.where(plugin) ?? "here";
      const refused = await refusedOf(plugin);
      return {
        ...(await look(plugin)),
        runsIn: placeOf(plugin, isMovedIntoAgent(plugin, kind) ? "here" : kind),
        ...definedFields({ refused: refused.length === 0 ? undefined : refused }),
      };
    },

    async check(name) {
      await index.rescan("ask-python");
      const { checkPlugin } = await import("./check-plugin.ts");
      const plugins = name === undefined ? index.own : [await named(name)];
      const checked: { key: string; dir: string; problems: readonly PluginProblem[] }[] = [];
      for (const plugin of plugins) {
        const runs = name !== undefined || host.listing(plugin).state === "enabled";
        checked.push({ key: plugin.key, dir: plugin.dir, problems: await checkPlugin(plugin, checkPorts(), runs) });
      }
      return checked;
    },

    async installPackages(name, options) {
      await index.rescan("ask-python");
      const plugin = find(name);
      if (plugin.module !== undefined)
        throw new UserError(
          `The plugin "${plugin.key}" is a Python package, so pip has already installed its dependencies.`,
        );
      const [{ installPackages }, { PROGRAM_VARIABLES }] = await Promise.all([
        import("../install/install-packages.ts"),
        import("../install/prepare-install.ts"),
      ]);
      await installPackages(plugin, home, {
        env: environment.childEnvironment(PROGRAM_VARIABLES),
        ...options,
      });
      // It may already run, without them or in another plugin's process.
      await host.unload(plugin.key);
      await host.reload();
      return look(plugin);
    },

    async install(from, options) {
      const { prepareInstall } = await import("../install/prepare-install.ts");
      return prepareInstall(from, options, installPorts());
    },

    async update(name, options) {
      await index.rescan("ask-python");
      const plugin = find(name);
      const { from, ref } = pins.get(plugin.dir) ?? {};
      if (from === undefined)
        throw new UserError(
          `Cannot update the plugin "${plugin.key}" in ${plugin.dir}: Hermes did not install it, so its source is unknown.`,
          { hint: "Run `hermes plugins install SOURCE --force` to replace it." },
        );
      const { prepareInstall } = await import("../install/prepare-install.ts");
      return prepareInstall(from, { ...options, force: true, ref }, installPorts());
    },

    async remove(name) {
      await index.rescan("ask-python");
      const plugin = find(name);
      const { removePlugin } = await import("../install/remove-plugin.ts");
      const listing = host.listing(plugin);
      await removePlugin(plugin, {
        home: home,
        pins: pins,
        config,
        stillThere: (key) =>
          [...index.own, ...index.bundled].some(
            (other) => other !== plugin && (other.key === key || other.manifest.name === key),
          ),
      });
      await host.unload(plugin.key);
      await index.rescan();
      index.save();
      return listing;
    },

    reload: () => host.reload(),

    async create(name, { python, folder }) {
      const { newPlugin } = await import("../kit/new-plugin.ts");
      return newPlugin(name, { python, folder: folder === undefined ? home.folder("plugins") : resolve(folder) });
    },

    async develop(folder, message) {
      const plugin = await index.develop(resolve(folder));
      const first = await host.reload();
      const { watchFolder } = await import("../discovery/watch-folder.ts");
      const watching = watchFolder(plugin.dir, () =>
        host.reload().then(message, (cause: unknown) => log.error("Cannot reload the plugins", { cause })),
      );
      return {
        listing: host.listing(find(plugin.key)),
        report: first,
        [Symbol.dispose]: () => watching[Symbol.dispose](),
      };
    },

    async test(name, options) {
      await index.rescan("ask-python");
      const found = await named(name);
      // A package has no separate plugin folder, so it is tested as it runs.
      const plugin =
        manifestFile(found.dir) === undefined && (found.source === "npm" || found.source === "python")
          ? found
          : await index.develop(found.dir);
      await host.reload();
      const listing = host.listing(find(plugin.key));
      if (listing.state !== "enabled")
        throw new UserError(`The plugin "${plugin.key}" is not running: ${listing.reason ?? listing.state}`);
      const { testPlugin } = await import("./test-plugin.ts");
      return testPlugin(plugin.key, plugin.dir, {
        config,
        environment,
        clock,
        fetch: (owner) => services().network.fetch(owner),
        tools: host.tools,
        slots: host.slots,
        recorded: options.recorded ?? [],
        signal: options.signal,
        declared: (variable) => host.declaredEnv(plugin.key).some((need) => need.name === variable),
      });
    },
  };

  async function look(plugin: FoundPlugin): Promise<PluginListing> {
    const lacking = await lackingOf(plugin);
    return {
      ...withEntryReason(plugin, host.listing(plugin), path),
      ...definedFields({ lacking: lacking.length === 0 ? undefined : lacking }),
    };
  }

  async function refusedOf(plugin: FoundPlugin): Promise<readonly string[]> {
    const { refusedUses } = await import("../discovery/members-used.ts");
    return refusedUses(plugin, hosts?.where(plugin) ?? "here").map(({ at, words }) => `${at}: ${words}`);
  }

  /** Secrets that it looked up, that its code names, or that its tools declare, and that it does not get. */
  async function withheldFrom(plugin: FoundPlugin, registered: Registered | undefined): Promise<readonly string[]> {
    const given = withGiven(plugin, config);
    const { variablesNamed } = await import("../discovery/variables-named.ts");
    const named = variablesNamed(plugin).map((name) => [name, ""] as const);
    const ofTools = (registered?.tools ?? []).flatMap(({ env }) => env);
    return [
      ...new Set([
        ...withheldOf(registered, given.manifest, environment),
        ...withheldOf({ reads: named }, given.manifest, environment),
        ...withheldFromTools(given, ofTools, environment),
      ]),
    ];
  }

  async function lackingOf(plugin: FoundPlugin): Promise<readonly string[]> {
    if (plugin.manifest.dependencies === undefined) return [];
    return (await import("../packages/missing-packages.ts")).missingOf(plugin, home, path, index.python);
  }

  /** It may have failed because a package is missing. */
  async function rejectWithNeeds(cause: unknown, plugin: FoundPlugin): Promise<never> {
    const lacking = await lackingOf(plugin);
    if (!(cause instanceof Error)) throw cause;
    if (lacking.length === 0) throw await withHint(cause, plugin);
    throw new UserError(`${cause.message.replace(/[^.!?]$/, "$&.")} It needs ${lacking.join(", ")}.`, {
      hint: `Run \`hermes plugins enable ${plugin.key} --yes\` to install what it needs.`,
      cause,
    });
  }

  /**
   * The fix for a failure of its code: a variable that it names and did not get, a missing package, or a look at its
   * own lines.
   */
  async function withHint(cause: Error, plugin: FoundPlugin): Promise<UserError> {
    const { key } = plugin;
    const named = [...cause.message.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)].map(([name]) => [name, ""] as const);
    const [withheld] = withheldOf({ reads: named }, withGiven(plugin, config).manifest, environment);
    if (withheld !== undefined)
      return new UserError(cause.message, {
        hint: `${withheld} is set but not passed to the plugin, because its manifest does not declare it. To pass it, run: hermes config set plugins.entries.${key}.env '["${withheld}"]'.`,
        cause,
      });
    const [{ missingModule }, { packageOfModule }, { absentPart }] = await Promise.all([
      import("../registry/describe-failure.ts"),
      import("../packages/implied-needs.ts"),
      import("../discovery/absent-part.ts"),
    ]);
    const module = missingModule(cause)?.split(".")[0];
    const hint =
      absentPart(cause) ??
      (module === undefined
        ? `Run \`hermes plugins check ${key}\` to see the error again, with HERMES_PLUGINS_DEBUG=1 for the full traceback.`
        : `If that is a package, name it in plugin.yaml (pip_dependencies: [${packageOfModule(module)}]) and run \`hermes plugins enable ${key} --yes\` to install it.`);
    return new UserError(cause.message, { hint, cause });
  }

  /** A plugin of that name, or the one in that folder. */
  async function named(name: string): Promise<FoundPlugin> {
    if (!/^(\.\.?(\/|$)|\/|~\/)/.test(name)) return find(name);
    const dir = resolve(name.replace(/^~(?=\/)/, homedir()));
    const known = [...index.own, ...index.bundled].find((plugin) => plugin.dir === dir);
    const { readFolder } = await import("../discovery/discovery.ts");
    const found = known ?? (await readFolder({ source: "user", dir, key: undefined }, log));
    if (found === undefined)
      throw new UserError(`There is no plugin.yaml in ${dir}.`, {
        hint: "Run `hermes plugins new NAME` to create a plugin.",
        exitCode: 2,
      });
    return found;
  }

  function checkPorts(): CheckPorts {
    const owners = { tool: host.tools, command: host.commands, cli: host.cli } as const;
    const others = (key: string) =>
      all()
        .filter((plugin) => plugin.key !== key && plugin.source !== "bundled")
        .map((plugin) => host.listing(plugin))
        .filter(({ state }) => state === "enabled");
    const holderOf = (kind: keyof typeof owners, name: string, key: string): string | undefined => {
      const owner = owners[kind].owner(name);
      if (owner !== key) return owner;
      // It is active, and has the same key as another that waits.
      return others(key).find(({ registered }) =>
        (kind === "tool" ? registered.tools : kind === "command" ? registered.commands : registered.cli).includes(name),
      )?.key;
    };
    return {
      lack: (plugin) => lackOf(plugin, path) ?? hosts?.lack(plugin),
      refusal: (plugin) => pins.refusal(plugin),
      refused: refusedOf,
      record: (plugin, log) => recordPlugin(plugin, recording(log)),
      env: (name) => environment.get(name),
      withheld: withheldFrom,
      holder: holderOf,
      isBuiltIn: (kind, name) =>
        kind === "tool"
          ? builtInOwner(name, builtIns) !== undefined
          : kind === "command"
            ? reserved?.command?.(name) === true
            : reserved?.word?.(name) === true,
      mayReplace: (plugin, tool) => mayReplace(plugin, tool, setting),
    };
  }

  function installPorts(): InstallPorts {
    return {
      home,
      pins,
      log,
      environment,
      now: () => clock.now(),
      coolingOffHours: () => {
        const hours = config.get("plugins.cooling_off_hours");
        return typeof hours === "number" ? hours : 72;
      },
      settled: async (key) => {
        await index.rescan();
        index.save();
        return host.listing(find(key));
      },
    };
  }

  /** Enabling a project's plugin, or an installed one with edited files, accepts its current content. */
  async function agreeToContent(plugin: FoundPlugin): Promise<void> {
    const pin = pins.get(plugin.dir);
    if (plugin.source !== "project" && pin === undefined) return;
    // A link that leads out would give the plugin access to its target.
    (await import("../install/check-tree.ts")).checkTree(plugin.dir, plugin.dir);
    const { contentHash } = await import("../discovery/content-hash.ts");
    await pins.set(plugin.dir, {
      ...pin,
      hash: contentHash(join(plugin.dir, pin?.root ?? ".")),
      at: new Date(clock.now()).toISOString(),
    });
  }

  /**
   * Finds a plugin by its key, name, the last part of a key or its folder, if only one plugin matches. The user's own
   * come first.
   */
  function find(name: string): FoundPlugin {
    const plugins = [...index.own.toReversed(), ...index.bundled];
    const found = plugins.find(({ key }) => key === name) ?? plugins.find(({ manifest }) => manifest.name === name);
    if (found !== undefined) return found;
    const byLast = plugins.filter(
      ({ key, source, dir }) => key.split("/").at(-1) === name || (source === "user" && basename(dir) === name),
    );
    if (byLast.length === 1) return byLast[0]!;
    if (byLast.length > 1)
      throw new UserError(`"${name}" is ${byLast.map(({ key }) => key).join(" or ")}.`, {
        hint: "Use the full name.",
        exitCode: 2,
      });
    const folder = home.file("plugins", name);
    if (manifestFile(folder) !== undefined)
      throw new UserError(`${folder} is too deep to be found.`, {
        hint: "Put the plugin into the plugins folder, or one folder deeper in a category.",
        exitCode: 2,
      });
    if (unread !== undefined && manifestFile(join(unread, name)) !== undefined)
      throw new UserError(`"${name}" is a plugin of this project, and project plugins are disabled.`, {
        hint: "Set HERMES_ENABLE_PROJECT_PLUGINS=1 to enable them. Each then needs your approval, and again after any change.",
        exitCode: 2,
      });
    if ("file" in entryModule(folder))
      throw new UserError(`${folder} has no plugin.yaml, so it is not a plugin.`, {
        hint: "Create one with the lines `name:` and `description:`.",
        exitCode: 2,
      });
    const near = nearest(
      name,
      plugins.map(({ key }) => key),
    );
    throw new UserError(`There is no plugin "${name}".`, {
      hint: near === undefined ? "Run `hermes plugins list` to see all plugins." : `Did you mean "${near}"?`,
      exitCode: 2,
    });
  }

  /** The list of running plugins names it, but it no longer exists. */
  function isOnlyNamed(name: string): boolean {
    const enabled = config.get("plugins.enabled");
    return (
      Array.isArray(enabled) &&
      enabled.includes(name) &&
      !all().some(({ key, manifest }) => key === name || manifest.name === name)
    );
  }
}

/** A plugin that was never started may still lack a requirement. */
function withEntryReason(plugin: FoundPlugin, listing: PluginListing, path: string | undefined): PluginListing {
  if (listing.state !== "not enabled" && listing.state !== "enabled") return listing;
  const kind = plugin.source === "bundled" ? undefined : missingKind(plugin.manifest, entryText(plugin.dir));
  if (kind !== undefined) return { ...withoutCause(listing), reason: kind };
  const lacks = plugin.manifest.kind === "exclusive" ? undefined : lackOf(plugin, path);
  return lacks === undefined
    ? listing
    : { ...withoutCause(listing), state: listing.state === "enabled" ? "failed" : listing.state, reason: lacks };
}

/** Something else prevents it from running. */
function withoutCause(listing: PluginListing): PluginListing {
  const other: { because?: PluginListing["because"] } & Omit<PluginListing, "because"> = { ...listing };
  delete other.because;
  return other as PluginListing;
}

function lackOf(
  { dir, entry, module, manifest: { program } }: FoundPlugin,
  path: string | undefined,
): string | undefined {
  if (program !== undefined) return programLack({ dir, program }, path);
  if (entry !== undefined || module !== undefined) return undefined;
  const found = entryModule(dir);
  return "reason" in found ? found.reason : undefined;
}

/** The runtime in words for the user. */
function placeOf({ foreign: untrusted, manifest: { program } }: FoundPlugin, kind: HostKind): string {
  if (kind === "here") return "the agent";
  if (kind === "python") return "a Python process";
  if (program !== undefined) return `a separate process: ${program.join(" ")}`;
  return untrusted === true ? "a separate Node process, limited to its grants" : "the Node process of your plugins";
}
