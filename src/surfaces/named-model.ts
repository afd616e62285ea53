import type { App } from "../contract/app.ts";
import { UserError } from "../contract/failure.ts";
import { nearest } from "../contract/nearest.ts";

/**
 * What a person who writes a model's name means. The part before the first slash is a provider only if one has that id: `openrouter/meta/llama`
 * is, `meta/llama` is not.
 * @param current Who serves a name without a provider; none while nothing but the built-in rules answer.
 * @throws {UserError} when it does not say who serves it.
 */
export async function namedModel(app: App, name: string, current: { readonly provider: string; readonly offline: boolean }): Promise<{ readonly provider: string; readonly model: string }> {
  const providers = await app.models.providers();
  const slash = name.indexOf("/");
  const head = slash < 0 ? name : name.slice(0, slash);
  if (slash > 0 && providers.some(({ id }) => id === head)) return { provider: head, model: name.slice(slash + 1) };
  if (!current.offline) return { provider: current.provider, model: name };
  const near = slash > 0 ? nearest(head, providers.map(({ id }) => id)) : undefined;
  throw new UserError(`"${name}" does not say which provider serves it.`, { hint: `${near === undefined ? "" : `Did you mean "${near}${name.slice(slash)}"? `}Write provider/name. Providers: ${providers.map(({ id }) => id).join(", ")}.`, exitCode: 2 });
}
