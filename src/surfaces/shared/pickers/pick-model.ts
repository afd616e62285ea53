import type { ListPrice } from "../../../contract/services/model-service.ts";
import type { PickItem } from "../../../contract/conversation/pick-list.ts";
import type { SlashHost } from "../commands/slash-host.ts";
import { modelChoices } from "../conversation/model-choices.ts";

interface Current {
  readonly provider: string;
  readonly model: string;
}

/** Lets the user pick a model of any ready provider: `provider/name`; `undefined` if they left or none is listed. */
export async function pickModel(host: SlashHost, current: Current): Promise<string | undefined> {
  const { models } = host.app;
  const [choices, providers] = await Promise.all([modelChoices(host.app, host.signal, Infinity), models.providers()]);
  const now = nameOf(current);
  const others = choices.map(nameOf).filter((name) => name !== now);
  const facts = new Map(
    await Promise.all(
      [now, ...others].map(async (name) => {
        const model = modelOf(name);
        return [name, { tokens: await models.contextTokens(model), price: await models.price(model) }] as const;
      }),
    ),
  );
  const itemOf = (name: string): PickItem => ({
    value: name,
    label: name,
    detail: [name === now ? "current" : "", priceText(facts.get(name)?.price), tokensText(facts.get(name)?.tokens ?? 0)]
      .filter((text) => text !== "")
      .join(" · "),
  });
  return host.browse?.({
    title: "Which model should this session use?",
    items: [now, ...others].map(itemOf),
    verb: "chooses",
    preview(name) {
      const provider = providers.find(({ id }) => id === name.slice(0, name.indexOf("/")));
      const { price, tokens } = facts.get(name)!;
      return [
        modelOf(name),
        `by ${provider?.label ?? name.slice(0, name.indexOf("/"))}`,
        "",
        `window  ${tokensText(tokens)} tokens`,
        price === undefined
          ? "price   unknown"
          : `price   $${price.inputUsd} in, $${price.outputUsd} out for a million tokens`,
        ...(name === now ? ["", "This session uses it now."] : []),
      ].join("\n");
    },
  });
}

function nameOf({ provider, model }: Current): string {
  return `${provider}/${model}`;
}

function modelOf(name: string): string {
  return name.slice(name.indexOf("/") + 1);
}

function priceText(price: ListPrice | undefined): string {
  return price === undefined ? "" : `$${price.inputUsd}/$${price.outputUsd}`;
}

/** `200k`, `1M`. */
function tokensText(tokens: number): string {
  return tokens >= 1_000_000 ? `${Number((tokens / 1_000_000).toFixed(1))}M` : `${Math.round(tokens / 1000)}k`;
}
