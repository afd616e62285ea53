import type { App } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { nearest } from "../../../contract/common/nearest.ts";

/**
 * What a person who writes a model's name means: `provider/name` or `provider:name`, where a provider or an endpoint of theirs has that
 * name. `openrouter/meta/llama` is such, `meta/llama` is not.
 * @param current Who serves a name without a provider; none while nothing but the built-in rules answer.
 * @throws {UserError} when it does not say who serves it.
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
  throw new UserError(`"${name}" does not say which provider serves it.`, {
    hint: `${near === undefined ? "" : `Did you mean "${near}/${rest}"? `}Write provider/name. Providers: ${providers.map(({ id }) => id).join(", ")}.`,
    exitCode: 2,
  });
}

/**
 * The same, of a provider that can be asked now.
 * @throws {UserError} also when its key is missing, with how to give it.
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
