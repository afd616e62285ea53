import type { App } from "../../../contract/services/app.ts";

/**
 * Leaves out providers that answer this much later than the first, and models beyond what a user would scroll
 * through.
 */
const AFTER_FIRST_MS = 2_000;
const LIST_MS = 10_000;
const MODELS_EACH = 12;

/** @param each Models of one provider at most. @returns the models of every provider that is ready and answers soon. */
export async function modelChoices(
  { models }: Pick<App, "models">,
  signal: AbortSignal,
  each = MODELS_EACH,
): Promise<readonly { readonly provider: string; readonly model: string }[]> {
  const enough = new AbortController();
  let last: NodeJS.Timeout | undefined;
  const stop = AbortSignal.any([signal, enough.signal, AbortSignal.timeout(LIST_MS)]);
  const ready = (await models.providers()).filter((provider) => provider.ready && provider.id !== "offline");
  const lists = await Promise.all(
    ready.map(async ({ id }) => {
      const names = await models.list(id, stop).catch(() => []);
      if (names.length > 0) last ??= setTimeout(() => enough.abort(), AFTER_FIRST_MS);
      return names.slice(0, each).map((model) => ({ provider: id, model }));
    }),
  );
  clearTimeout(last);
  return lists.flat();
}
