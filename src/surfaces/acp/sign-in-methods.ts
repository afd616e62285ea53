import { RequestError, type AuthMethod, type ClientCapabilities } from "@agentclientprotocol/sdk/unstable";
import type { App } from "../../contract/services/app.ts";
import { modelNow } from "../shared/conversation/model-now.ts";
import { badRequest } from "./request-failure.ts";

/** The editor opens a terminal with `hermes acp --setup`. */
const IN_A_TERMINAL = "hermes-setup";

/** Sign-in methods: the configured provider, and setup if the editor can open a terminal. */
export async function signInWays(app: App, { auth }: ClientCapabilities): Promise<AuthMethod[]> {
  const { provider } = await signedIn(app);
  return [
    ...(provider === undefined
      ? []
      : [
          {
            id: provider,
            name: `${provider}, as configured in Hermes`,
            description: "Use the keys in the configuration of Hermes",
          },
        ]),
    ...(auth?.terminal === true
      ? [
          {
            type: "terminal" as const,
            id: IN_A_TERMINAL,
            name: "Set up Hermes",
            description: "Choose a model and enter its key in a terminal",
            args: ["--setup"],
          },
        ]
      : []),
  ];
}

/** @throws {RequestError} if no model is ready, or the method does not exist. */
export async function signIn(app: App, way: string): Promise<void> {
  await app.config.refresh();
  const { provider, why } = await signedIn(app);
  if (way !== IN_A_TERMINAL && way !== provider) throw badRequest(`Unknown sign-in method "${way}".`);
  if (provider === undefined) throw RequestError.authRequired(undefined, app.mask(why));
}

/** The provider that answers, or why there is none. */
async function signedIn(
  app: App,
): Promise<
  { readonly provider: string; readonly why?: undefined } | { readonly provider?: undefined; readonly why: string }
> {
  const now = await modelNow(app);
  if ("problem" in now) return { why: now.problem };
  return now.notice === undefined ? { provider: now.provider } : { why: now.notice };
}
