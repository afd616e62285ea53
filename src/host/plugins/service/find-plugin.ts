import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import { nearest } from "../../../contract/common/nearest.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { entryModule, manifestFile } from "../discovery/plugin-files.ts";
import type { PluginPorts } from "../registry/plugin-host.ts";

type Where = Pick<PluginPorts, "home" | "installed">;

/**
 * Finds a plugin by its key, name, the last part of a key or its folder, if only one plugin matches. The user's own
 * come first.
 * @throws {UserError} that says why there is none.
 */
export function findPlugin(name: string, where: Where): FoundPlugin {
  const { index } = where.installed;
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
  throw notFound(name, plugins, where);
}

/** A plugin of that name, or the one in that folder. */
export async function findOrReadPlugin(name: string, ports: Where & Pick<PluginPorts, "log">): Promise<FoundPlugin> {
  if (!/^(\.\.?(\/|$)|\/|~\/)/.test(name)) return findPlugin(name, ports);
  const { index } = ports.installed;
  const dir = resolve(name.replace(/^~(?=\/)/, homedir()));
  const known = [...index.own, ...index.bundled].find((plugin) => plugin.dir === dir);
  const { readFolder } = await import("../discovery/discovery.ts");
  const found = known ?? (await readFolder({ source: "user", dir, key: undefined }, ports.log));
  if (found === undefined)
    throw new UserError(`There is no plugin.yaml in ${dir}.`, {
      hint: "Run `hermes plugins new NAME` to create a plugin.",
      exitCode: 2,
    });
  return found;
}

/** Names a folder of that name that is no plugin yet, or the nearest name. */
function notFound(name: string, plugins: readonly FoundPlugin[], { home, installed: { unread } }: Where): UserError {
  const folder = home.file("plugins", name);
  if (manifestFile(folder) !== undefined)
    return new UserError(`${folder} is too deep to be found.`, {
      hint: "Put the plugin into the plugins folder, or one folder deeper in a category.",
      exitCode: 2,
    });
  if (unread !== undefined && manifestFile(join(unread, name)) !== undefined)
    return new UserError(`"${name}" is a plugin of this project, and project plugins are disabled.`, {
      hint: "Set HERMES_ENABLE_PROJECT_PLUGINS=1 to enable them. Each then needs your approval, and again after any change.",
      exitCode: 2,
    });
  if ("file" in entryModule(folder))
    return new UserError(`${folder} has no plugin.yaml, so it is not a plugin.`, {
      hint: "Create one with the lines `name:` and `description:`.",
      exitCode: 2,
    });
  const near = nearest(
    name,
    plugins.map(({ key }) => key),
  );
  return new UserError(`There is no plugin "${name}".`, {
    hint: near === undefined ? "Run `hermes plugins list` to see all plugins." : `Did you mean "${near}"?`,
    exitCode: 2,
  });
}
