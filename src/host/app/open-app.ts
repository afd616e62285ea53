import type { App } from "../../contract/services/app.ts";
import type { AppOptions } from "./app-options.ts";
import { assembleApp } from "./assemble-app.ts";
import { prepareEngine } from "./prepare-engine.ts";
import { prepareEnvironment } from "./prepare-environment.ts";
import { preparePlugins } from "./prepare-plugins.ts";
import { startServices } from "./start-services.ts";

/**
 * Wires one process of the agent, in stages that know only earlier stages. Unused parts are not loaded: the store
 * opens with the first session, a plugin's code with its first call, the model's client with the first turn.
 */
export async function openApp(options: AppOptions): Promise<App> {
  const environment = await prepareEnvironment(options);
  const plugins = preparePlugins(environment);
  const engine = await prepareEngine(environment, plugins);
  const services = await startServices(environment, plugins, engine);
  return assembleApp(environment, plugins, engine, services);
}
