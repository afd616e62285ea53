import type { App } from "../../../../contract/services/app.ts";
import type { PluginListing } from "../../../../contract/services/plugin-service.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import type { Call } from "../../program/call.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import { Questions } from "../../input/questions.ts";
import { memoryState } from "../../../shared/gateway/memory-state.ts";
import { definedFields } from "../../../../contract/common/defined-fields.ts";
import { linesOfSecrets } from "../../../shared/plugins/given-variables.ts";
import { asTyped } from "../../../shared/process/called-as.ts";

const SETTING = "memory.provider";

/** `hermes memory`: the provider that stores memories. */
export async function memoryStatus({ io, open }: Call, options: { readonly json?: boolean }): Promise<void> {
  const app = await open();
  const found = await memoryState(app, "start");
  const id = found.provider;
  const plugin = id === "" ? undefined : await pluginOf(app, id);
  const memory = id === "" ? undefined : await app.memory();
  const secrets = plugin === undefined ? undefined : (await app.plugins.info(plugin.key)).secrets;
  const state =
    id === ""
      ? "none"
      : found.lack === undefined
        ? "available"
        : asTyped(
            found.readsSecrets === true
              ? `not available: ${found.lack}`
              : `not available: ${found.lack}. ${found.hint}`,
          );
  if (options.json)
    return io.out(
      `${JSON.stringify({ provider: id === "" ? null : id, available: memory?.available === true, state, tools: memory?.tools ?? [], ...definedFields({ secrets }), providers: (await providers(app)).map(({ name }) => name) }, null, 2)}\n`,
    );
  if (id === "") io.out(asTyped("Memory provider: none. Choose one with: hermes memory setup\n"));
  else
    io.out(
      `Memory provider: ${id} (${state})${memory !== undefined && memory.tools.length > 0 ? `, tools: ${memory.tools.join(", ")}` : ""}\n`,
    );
  if (plugin !== undefined) for (const line of linesOfSecrets(app, plugin.key, secrets)) io.out(`${line}\n`);
  const others = (await providers(app)).filter(
    ({ name }) => name !== id && plugin?.registered.providers.includes(`memory/${name}`) !== true,
  );
  if (others.length > 0) io.out(`Others: ${others.map(({ name }) => name).join(", ")}\n`);
}

export async function memorySetup({ io, open }: Call, name: string | undefined): Promise<void> {
  const app = await open();
  const found = await providers(app);
  const names = found.map((one) => one.name);
  if (name === undefined && !io.interactive)
    throw new UserError("Cannot ask for a memory provider: there is no terminal.", {
      hint:
        names.length === 0
          ? "No memory provider is installed. Add one with: hermes plugins install"
          : `Name it: hermes memory setup NAME. Providers: ${names.join(", ")}.`,
      exitCode: EXIT.usage,
    });
  const asked = name ?? (await pick(io, names));
  if (asked === undefined) return io.out("Nothing was changed.\n");
  const plugin = found.find((one) => one.name === asked) ?? found.find((one) => one.key === asked);
  const wanted = plugin?.name ?? asked;
  const engine = plugin === undefined ? await engineNamed(app, wanted) : undefined;
  if (engine !== undefined)
    throw new UserError(`"${wanted}" is a context engine, not a memory provider.`, {
      hint: `Choose it with: ${asTyped("hermes config set")} context.engine ${engine}`,
      exitCode: EXIT.usage,
    });
  if (plugin === undefined)
    throw new UserError(`There is no memory provider "${wanted}".`, {
      hint:
        names.length === 0
          ? "No memory provider is installed. Add one with: hermes plugins install"
          : `Providers: ${names.join(", ")}.`,
      exitCode: EXIT.usage,
    });
  await app.config.set(SETTING, wanted);
  // The provider runs only with this setting, and can declare its fields only when it runs.
  await app.plugins.reload();
  const setup = await app.memorySetup();
  if (setup !== undefined && setup.fields.length > 0)
    await (await import("./memory-questions.ts")).askForMemory(app, setup, wanted, io);
  io.out(`${wanted} stores memories from the next session on.\n`);
  if (plugin.missing.length > 0)
    io.out(`It still needs ${plugin.missing.join(", ")}. Set each with: ${asTyped("hermes config set")} NAME VALUE\n`);
}

export async function memoryOff({ io, open }: Call): Promise<void> {
  const app = await open();
  const id = chosen(app);
  await app.config.set(SETTING, "");
  io.out(
    id === "" ? "No memory provider was set.\n" : `${id} no longer stores memories. Stored memories are unchanged.\n`,
  );
}

function chosen(app: App): string {
  const id = app.config.get(SETTING);
  return typeof id === "string" ? id : "";
}

async function engineNamed(app: App, name: string): Promise<string | undefined> {
  const plugin = (await app.plugins.list()).find(({ key, manifest }) => [key, manifest.name].includes(name));
  return plugin === undefined ? undefined : engineOf(plugin);
}

async function pluginOf(app: App, id: string) {
  return (await app.plugins.list()).find(
    ({ key, manifest, registered }) =>
      key === id ||
      manifest.name === id ||
      key.split("/").at(-1) === id ||
      registered.providers.includes(`memory/${id}`),
  );
}

/** Plugins that provide a memory, running or not: the setting decides which one runs. */
async function providers(
  app: App,
): Promise<readonly { readonly name: string; readonly key: string; readonly missing: readonly string[] }[]> {
  return (await app.plugins.list()).flatMap(({ key, manifest, registered, unset }) => {
    const given = registered.providers.find((one) => one.startsWith("memory/"))?.slice("memory/".length);
    const missing = manifest.requires_env.map(({ name }) => name).filter((name) => unset.includes(name));
    return given !== undefined ||
      (manifest.kind === "exclusive" && engineOf({ key, manifest, registered }) === undefined)
      ? [{ name: given ?? key.split("/").at(-1)!, key, missing }]
      : [];
  });
}

/** The context engine that a plugin provides instead of a memory. */
function engineOf({
  key,
  manifest,
  registered,
}: Pick<PluginListing, "key" | "manifest" | "registered">): string | undefined {
  if (registered.providers.some((one) => one.startsWith("memory/"))) return undefined;
  return (
    registered.providers.find((one) => one.startsWith("context/"))?.slice("context/".length) ??
    (key.startsWith("context_engine/") ? manifest.name : undefined)
  );
}

async function pick(io: Call["io"], names: readonly string[]): Promise<string | undefined> {
  using questions = await Questions.open(io);
  return questions.pick(
    "Memory provider",
    names.map((name) => ({ label: name, value: name })),
    "no change",
  );
}
