import { ToolFailure } from "../../contract/common/failure.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { Slots } from "../../contract/plugins/slot.ts";
import type { SlotName } from "../../contract/plugins/slot-name.ts";
import type { ModelProvider } from "../../contract/providers/model.ts";
import { billedClient } from "./billed-client.ts";
import type { RequestCosts } from "./request-costs.ts";

/** The methods of the paid slots that send requests, and the kind of each. A model's client has kinds of its requests. */
export const PAID_METHODS: { readonly [S in SlotName]?: { readonly [method: string]: string } } = {
  model: { connect: "" },
  web: { search: "search", extract: "extract" },
  image_gen: { generate: "image" },
  video_gen: { generate: "video" },
  tts: { synthesize: "speech" },
  stt: { transcribe: "transcription" },
  browser: { create_session: "browser" },
};

/** A provider whose paid requests have rows in the ledger. Everything else passes through. */
export function billedProvider<S extends SlotName>(
  slot: S,
  id: string,
  provider: Slots[S],
  costs: RequestCosts,
): Slots[S] {
  const kinds: { readonly [method: string]: string } = PAID_METHODS[slot] ?? {};
  const target = provider as object as { readonly [name: string]: unknown };
  const billed = Object.fromEntries(
    Object.keys(kinds)
      .filter((name) => typeof target[name] === "function")
      .map((name) => [
        name,
        slot === "model"
          ? connectOf(provider as ModelProvider, costs)
          : paidMethod(target, name, { kind: kinds[name]!, provider: id }, costs),
      ]),
  );
  return new Proxy(target, {
    get(of, key) {
      const value: unknown = Reflect.get(of, key, of);
      if (typeof value !== "function") return value;
      return typeof key === "string" && Object.hasOwn(billed, key) ? billed[key] : value.bind(of);
    },
  }) as unknown as Slots[S];
}

function connectOf(provider: ModelProvider, costs: RequestCosts): ModelProvider["connect"] {
  return (settings) =>
    billedClient(provider.connect(settings), settings.billing ?? { provider: provider.id, prices: "table" }, costs);
}

type Paid = (...args: readonly unknown[]) => Promise<unknown>;

function paidMethod(
  target: { readonly [name: string]: unknown },
  name: string,
  about: { readonly kind: string; readonly provider: string },
  costs: RequestCosts,
): Paid {
  const method = target[name] as (...args: readonly unknown[]) => unknown;
  const free = target["free"] === true;
  return async (...args) => {
    const place = costs.place();
    const options = args.at(-1);
    const model = isObject(options) && typeof options["model"] === "string" ? options["model"] : "";
    let begun = await costs.begin({ ...about, model, images: 0 }, place);
    while (begun.kind === "wait") {
      await costs.oneEnded();
      begun = await costs.begin({ ...about, model, images: 0 }, place);
    }
    if (begun.kind === "spent") throw new ToolFailure("blocked", begun.message);
    const { row } = begun;
    const cost = free ? ({ costUsd: 0, priceSource: "free" } as const) : undefined;
    try {
      const answer = await method.apply(target, args as unknown[]);
      const failed = isObject(answer) && answer["success"] === false;
      row.end({ state: failed ? "failed" : "answered", ...(cost ?? costIn(answer)) });
      return answer;
    } catch (error) {
      row.end({ state: "failed", failure: "thrown", ...cost });
      throw error;
    }
  };
}

/** A service that says what it charged: `cost_usd` in its answer. */
function costIn(answer: unknown): { readonly costUsd?: number; readonly priceSource?: "provider" } {
  const said = isObject(answer) ? (answer as JsonObject)["cost_usd"] : undefined;
  return typeof said === "number" && Number.isFinite(said) && said >= 0
    ? { costUsd: said, priceSource: "provider" }
    : {};
}
