import type { App } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { KeyShown } from "../key-shown.ts";
import { route, textIn, type Route } from "../route.ts";
import { refuseMasks, settingShown } from "../setting-shown.ts";

const VARIABLE = /^[A-Z][A-Z0-9_]*$/;

/** Settings of `config.yaml`, and keys of `.env`, whose values are never shown. */
export const SETTING_ROUTES: readonly Route[] = [
  route("GET /api/settings", async ({ app }) => {
    const { config } = app;
    await config.refresh();
    return {
      file: config.file,
      ...config.check(),
      settings: config
        .keys()
        .map(({ path, description, default: usual }) => ({ path, description, default: usual, ...stateOf(app, path) })),
    };
  }),
  route("PUT /api/settings/:path", async ({ app, params: [path = ""], body }) => {
    if (VARIABLE.test(path))
      throw new UserError(`"${path}" is a variable, not a setting.`, { hint: "Change it on the page Keys." });
    const value = textIn(body, "value");
    await app.config.refresh();
    refuseMasks(app, path, value);
    await app.config.set(path, value);
    return stateOf(app, path);
  }),
  route("DELETE /api/settings/:path", async ({ app, params: [path = ""] }) => {
    if (VARIABLE.test(path))
      throw new UserError(`"${path}" is a variable, not a setting.`, { hint: "Change it on the page Keys." });
    await app.config.unset(path);
    return stateOf(app, path);
  }),
  route("GET /api/keys", async ({ app }) => ({ file: app.config.envFile, keys: await keysWithState(app) })),
  route("PUT /api/keys/:name", async ({ app: { config }, params: [name = ""], body }) => {
    const value = textIn(body, "value").trim();
    if (value === "")
      throw new UserError(`Cannot save ${variable(name)}: the value is empty.`, {
        hint: "Enter a value, or choose Remove to delete the variable.",
      });
    await config.setVariable(variable(name), value);
  }),
  route("DELETE /api/keys/:name", async ({ app: { config }, params: [name = ""] }) => {
    const { where } = config.explain(variable(name));
    const removed = await config.unset(variable(name));
    if (!removed && where !== undefined)
      throw new UserError(`${name} comes from ${where}, not from ${config.envFile}.`, {
        hint: "Remove it from the environment in which Hermes starts.",
      });
  }),
];

function stateOf(app: App, path: string): object {
  const { source, where, allowed } = app.config.explain(path);
  return { ...settingShown(app, path), source, where, allowed };
}

function variable(name: string): string {
  if (VARIABLE.test(name)) return name;
  throw new UserError(`"${name}" is not a valid key name: use capitals, digits and _.`);
}

type Key = Omit<KeyShown, "set" | "where">;

/** Every variable that a provider, a plugin or a tool needs; of the optional ones only secrets. */
async function keysWithState(app: App): Promise<readonly KeyShown[]> {
  await app.config.refresh();
  const [providers, plugins, tools] = await Promise.all([
    app.models.providers(),
    app.plugins.list(),
    app.tools.list({ surface: "cli", prompter: true }),
  ]);
  const found = new Map<string, Key>();
  const add = (key: Key): void => void (found.has(key.name) || found.set(key.name, key));
  for (const { label, keyEnv } of providers)
    for (const name of keyEnv) add({ name, description: label, secret: true, group: "model" });
  for (const { key, manifest } of plugins) {
    const asked = [...manifest.requires_env, ...manifest.optional_env.filter(({ secret }) => secret === true)];
    for (const { name, description, url, secret } of asked)
      add({
        name,
        description: [manifest.label ?? key, description].filter((text) => text !== undefined).join(" · "),
        url,
        secret: secret !== false,
        group: "tools",
      });
  }
  for (const { declaration } of tools)
    for (const { name, description, secret } of declaration.env)
      add({
        name,
        description: [declaration.name, description].filter((text) => text !== undefined).join(" · "),
        secret: secret !== false,
        group: "tools",
      });
  return [...found.values()].map((key) => {
    const { where } = app.config.explain(key.name);
    return { ...key, set: app.config.hasVariable(key.name), where };
  });
}
