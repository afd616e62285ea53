import { endpointNamed } from "./model-endpoints.ts";
import { needsNoKey, type ChoicePorts } from "./model-providers.ts";
import { words } from "./model-values.ts";

/** The selections of this run (flags) and this session (`/model`); each may omit anything. */
export interface ModelSelection {
  readonly run?: { readonly name?: string; readonly provider?: string; readonly baseUrl?: string };
  readonly session?: { readonly provider: string; readonly model: string; readonly baseUrl?: string };
}

/** The resulting selection, before any provider is looked up. */
export interface Asked {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  /** Where the provider was named, or else the model. */
  readonly source: string;
}

/** The merged selection. */
export function askedBy(request: ModelSelection, ports: ChoicePorts): Asked {
  return mergeRequests(levelsOf(request, ports));
}

/** From the strongest to the weakest. */
function levelsOf({ run, session }: ModelSelection, ports: ChoicePorts): readonly Asked[] {
  const variable = (...names: readonly string[]) =>
    names.map((name) => ({ name, value: words(ports.env(name)) })).find(({ value }) => value !== undefined);
  const provider = variable("HERMES_INFERENCE_PROVIDER");
  const model = variable("HERMES_INFERENCE_MODEL", "HERMES_MODEL");
  return [
    {
      provider: words(run?.provider),
      model: words(run?.name),
      baseUrl: words(run?.baseUrl),
      source: run?.provider !== undefined ? "--provider" : run?.name !== undefined ? "--model" : "--base-url",
    },
    { provider: provider?.value, model: model?.value, baseUrl: undefined, source: (provider ?? model)?.name ?? "" },
    {
      provider: words(session?.provider),
      model: words(session?.model),
      baseUrl: words(session?.baseUrl),
      source: "this session",
    },
    {
      provider: words(ports.config("model.provider")),
      model: words(ports.config("model.default")),
      baseUrl: words(ports.config("model.base_url")),
      source: ports.origin(
        automatic(words(ports.config("model.provider"))) === undefined ? "model.default" : "model.provider",
      ),
    },
  ];
}

function mergeRequests(levels: readonly Asked[]): Asked {
  let asked: Asked = { provider: undefined, model: undefined, baseUrl: undefined, source: "config.yaml" };
  for (const level of levels) {
    const provider = automatic(level.provider);
    const untrusted = asked.provider !== undefined && provider !== asked.provider;
    // A model selected with another provider is not for ours; a model selected without one may be.
    if (untrusted && (provider !== undefined || level.model === undefined)) continue;
    const first = asked.provider === undefined && asked.model === undefined && asked.baseUrl === undefined;
    const says = provider !== undefined || level.model !== undefined || level.baseUrl !== undefined;
    asked = {
      provider: asked.provider ?? provider,
      model: asked.model ?? level.model,
      // A base URL belongs to the provider it stands with, and to no provider when it stands alone.
      baseUrl:
        asked.baseUrl ?? (asked.provider === undefined || asked.provider === provider ? level.baseUrl : undefined),
      source: (first && says) || (asked.provider === undefined && provider !== undefined) ? level.source : asked.source,
    };
  }
  return asked;
}

/** `provider:model`, `custom:endpoint:model` and, for keyless providers and the user's endpoints, `provider/model`. */
export function namedProvider(
  asked: Asked,
  ports: ChoicePorts,
): { readonly provider: string; readonly model: string } | undefined {
  const { model } = asked;
  const explicit = automatic(asked.provider);
  const [, endpoint, itsModel] = /^custom:([^:]+):(.+)$/i.exec(model ?? "") ?? [];
  if (endpoint !== undefined && itsModel !== undefined && explicit === undefined)
    return { provider: endpoint, model: itsModel };
  const found = /^([^:/]+)([:/])(.+)$/.exec(model ?? "");
  if (found === null) return undefined;
  const [, head = "", sign, rest = ""] = found;
  const known = ports.providers.find(
    ({ id, aliases }) => id === head.toLowerCase() || aliases.includes(head.toLowerCase()),
  );
  if (explicit !== undefined)
    return known?.id === explicit.toLowerCase() && (sign === ":" || needsNoKey(known))
      ? { provider: explicit, model: rest }
      : undefined;
  if (sign === ":" && known !== undefined) return { provider: head, model: rest };
  if (known === undefined)
    return endpointNamed(head, ports) === undefined ? undefined : { provider: head, model: rest };
  return needsNoKey(known) ? { provider: known.id, model: rest } : undefined;
}

/** `auto` is as good as no name. */
export function automatic(provider: string | undefined): string | undefined {
  return provider === undefined || provider.toLowerCase() === "auto" ? undefined : provider;
}
