import { RequestError, type AuthMethod, type ClientCapabilities } from "@agentclientprotocol/sdk/unstable";
import type { App } from "../../contract/services/app.ts";
import { modelNow } from "../shared/conversation/model-now.ts";
import { badRequest } from "./request-failure.ts";

/** In a terminal that the editor opens: `hermes acp --setup`. */
const IN_A_TERMINAL = "hermes-setup";

/** How somebody signs in: by the provider that is set up already, and by the questions of setup where the editor can open a terminal. */
export async function signInWays(app: App, { auth }: ClientCapabilities): Promise<AuthMethod[]> {
  const { provider } = await signedIn(app);
  return [
    ...(provider === undefined
      ? []
      : [
          {
            id: provider,
            name: `${provider}, as Hermes is set up`,
            description: "The keys of Hermes's own configuration",
          },
        ]),
    ...(auth?.terminal === true
      ? [
          {
            type: "terminal" as const,
            id: IN_A_TERMINAL,
            name: "Set Hermes up",
            description: "Choose a model and give its key, in a terminal",
            args: ["--setup"],
          },
        ]
      : []),
  ];
}

/** @throws {RequestError} while no model can be asked, or for a way that does not exist. */
export async function signIn(app: App, way: string): Promise<void> {
  await app.config.refresh();
  const { provider, why } = await signedIn(app);
  if (way !== IN_A_TERMINAL && way !== provider) throw badRequest(`There is no way to sign in called "${way}".`);
  if (provider === undefined) throw RequestError.authRequired(undefined, app.mask(why));
}

/** Who answers, or why nobody does. */
async function signedIn(
  app: App,
): Promise<
  { readonly provider: string; readonly why?: undefined } | { readonly provider?: undefined; readonly why: string }
> {
  const now = await modelNow(app);
  if ("problem" in now) return { why: now.problem };
  return now.notice === undefined ? { provider: now.provider } : { why: now.notice };
}
