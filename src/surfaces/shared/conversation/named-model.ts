import type { App } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { nearest } from "../../../contract/common/nearest.ts";

/**
 * Resolves a model name that the user typed: `provider/name` or `provider:name` if a provider or custom endpoint has
 * that name. `openrouter/meta/llama` is such, `meta/llama` is not.
 * @param current The provider for a name without one; none while only the built-in rules answer.
 * @throws {UserError} if the provider is unknown.
 */
export async function namedModel(
  app: App,
  name: string,
  current: { readonly provider: string; readonly offline: boolean },
): Promise<{ readonly provider: string; readonly model: string }> {
  const providers = await app.models.providers();
  const [, head = "", sign = "", rest = ""] = /^(custom:[^:/]+|[^:/]+)([:/])(.+)$/is.exec(name) ?? [];
  const provider = [head, `custom:${head}`]
    .flatMap((wanted) => providers.find(({ id }) => id.toLowerCase() === wanted.toLowerCase()) ?? [])
    .at(0);
  if (provider !== undefined) return { provider: provider.id, model: rest };
  if (!current.offline) return { provider: current.provider, model: name };
  const near =
    sign === "/"
      ? nearest(
          head,
          providers.map(({ id }) => id),
        )
      : undefined;
  throw new UserError(`"${name}" does not name a provider.`, {
    hint: `${near === undefined ? "" : `Did you mean "${near}/${rest}"? `}Write provider/name. Providers: ${providers.map(({ id }) => id).join(", ")}.`,
    exitCode: 2,
  });
}

/**
 * Resolves a model name of a provider that is ready.
 * @throws {UserError} also if its key is missing, with the command that sets it.
 */
export async function readyModel(
  app: App,
  name: string,
  current: { readonly provider: string; readonly offline: boolean },
): Promise<{ readonly provider: string; readonly model: string }> {
  const chosen = await namedModel(app, name, current);
  const lack = (await app.models.providers()).find(({ id, ready }) => id === chosen.provider && !ready)?.reason;
  if (lack !== undefined)
    throw new UserError(lack, { hint: `hermes model ${chosen.provider}/${chosen.model} --api-key KEY` });
  return chosen;
}
