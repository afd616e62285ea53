import { RequestError, type AuthMethod, type ClientCapabilities } from "@agentclientprotocol/sdk/unstable";
import type { App } from "../../contract/app.ts";
import { badRequest } from "./request-failure.ts";

/** In a terminal that the editor opens: `hermes acp --setup`. */
const IN_A_TERMINAL = "hermes-setup";

/** How somebody signs in: by the provider that is set up already, and by the questions of setup where the editor can open a terminal. */
export async function signInWays({ models }: Pick<App, "models">, { auth }: ClientCapabilities): Promise<AuthMethod[]> {
  const { provider, notice } = await models.current();
  return [
    ...(notice === undefined ? [{ id: provider, name: `${provider}, as Hermes is set up`, description: "The keys of Hermes's own configuration" }] : []),
    ...(auth?.terminal === true ? [{ type: "terminal" as const, id: IN_A_TERMINAL, name: "Set Hermes up", description: "Choose a model and give its key, in a terminal", args: ["--setup"] }] : []),
  ];
}

/** @throws {RequestError} while no model can be asked, or for a way that does not exist. */
export async function signIn({ models, config }: Pick<App, "models" | "config">, way: string): Promise<void> {
  await config.refresh();
  const { provider, notice } = await models.current();
  if (way !== IN_A_TERMINAL && way !== provider) throw badRequest(`There is no way to sign in called "${way}".`);
  if (notice !== undefined) throw RequestError.authRequired(undefined, notice);
}
