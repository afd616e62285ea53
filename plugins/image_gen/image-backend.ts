import {
  authorOf,
  imageFailed,
  imageMade,
  ToolFailure,
  type UntrustedSource,
  type ImageGenProvider,
  type ImageOptions,
  type JsonObject,
  type Plugin,
  type PluginContext,
} from "hermes-agent/plugin";
import type { Answered, Asked } from "./ask-service.ts";

/** Description of an image service by its plugin. */
export interface ImageService {
  readonly name: string;
  readonly label: string;
  /** Shown next to the name in pickers. */
  readonly tag: string;
  readonly key: { readonly name: string; readonly prompt: string; readonly url: string };
  /** The first is the default. */
  readonly models: readonly {
    readonly id: string;
    readonly display: string;
    readonly speed: string;
    readonly strengths: string;
  }[];
  ask(asked: Asked): Promise<Answered>;
}

export type AspectRatio = ImageOptions["aspect_ratio"];

/** The plugin of a service. */
export function imagePlugin(describe: (ctx: Pick<PluginContext, "env" | "setting">) => ImageService): Plugin {
  return (ctx) => void ctx.register_image_gen_provider(imageBackend(describe(ctx), ctx));
}

/** Options of a request to a service that returns the images in its response. */
export interface PictureRequest {
  url(asked: Asked): string;
  body(asked: Asked): JsonObject;
  readonly timeoutMs: number;
  /** Authorization scheme. Default `Bearer`. */
  readonly scheme?: "Bearer" | "Key";
  /** The variable in which the user may write another address. */
  readonly configured?: string;
}

export function askedBy({ url, body, timeoutMs, scheme = "Bearer", configured }: PictureRequest): ImageService["ask"] {
  return async (asked) => {
    const { firstPicture, post } = await import("./ask-service.ts");
    return firstPicture(asked, await post(asked, url(asked), body(asked), timeoutMs, { scheme, configured }));
  };
}

/** The first given URL, without trailing slashes. */
export function baseOf(...given: readonly unknown[]): string {
  return String(given.find((one) => typeof one === "string" && one !== "")).replace(/\/+$/, "");
}

/** Common to all backends: chooses the model, validates the prompt, and reports failures. */
function imageBackend(service: ImageService, ctx: Pick<PluginContext, "env" | "setting" | "fetch">): ImageGenProvider {
  const { name, label, models, key } = service;
  const modelOf = (wanted: string | undefined): string =>
    [ctx.setting(`image_gen.${name}.model`), wanted].find((id): id is string =>
      models.some((model) => model.id === id),
    ) ?? models[0]!.id;
  return {
    name,
    display_name: label,
    is_available: () => (ctx.env(key.name) ?? "") !== "",
    list_models: () => models,
    default_model: () => modelOf(undefined),
    capabilities: () => ({ modalities: ["text"], max_reference_images: 0 }),
    get_setup_schema: () => ({
      name: label,
      badge: "paid",
      tag: service.tag,
      env_vars: [{ key: key.name, prompt: key.prompt, url: key.url }],
    }),
    async generate(prompt, { aspect_ratio, image_url, reference_image_urls, model: wanted }) {
      const model = modelOf(wanted);
      const about = { provider: name, model, prompt };
      const failed = (error: string, error_type: string, from?: UntrustedSource): JsonObject =>
        imageFailed({ ...about, error, error_type, error_from: from ?? null });
      const secret = ctx.env(key.name);
      if (prompt.trim() === "") return failed("The prompt is empty.", "invalid_argument");
      if (image_url !== undefined || (reference_image_urls ?? []).length > 0)
        return failed(
          `${label} creates images only from text here; it does not accept an input image.`,
          "modality_unsupported",
        );
      if (secret === undefined || secret === "") return failed(`${label} needs ${key.name}.`, "auth_required");
      try {
        const { b64, extra } = await service.ask({ prompt, model, aspect_ratio, secret, fetch: ctx.fetch });
        return imageMade({ b64, ...about, aspect_ratio, modality: "text", extra });
      } catch (cause) {
        if (!(cause instanceof ToolFailure)) throw cause;
        return failed(`${label}: ${cause.message}`, cause.code, authorOf(cause));
      }
    },
  };
}
