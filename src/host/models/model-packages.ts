import { objectOf } from "../../contract/common/is-object.ts";
import type { Json } from "../../contract/common/json.ts";
import type { ModelPackage } from "../../contract/services/model-service.ts";
import { CUSTOM } from "./model-providers.ts";
import type { ModelSettingsPorts } from "./model-settings.ts";
import { listOf, words } from "./model-values.ts";

/**
 * The provider packages that the configuration names, each once, with the settings that name it, and why Hermes cannot
 * load it. The model, fallbacks, endpoints, side tasks and subagents may each name one.
 */
export async function modelPackages({
  config,
  slots,
}: Pick<ModelSettingsPorts, "config" | "slots">): Promise<readonly ModelPackage[]> {
  const named = packageSettings((path) => config.get(path));
  return Promise.all(
    [...Map.groupBy(named, ({ name }) => name)].map(async ([name, uses]) => {
      const settings = uses.map(({ path }) => path);
      try {
        await (await slots.use("model", CUSTOM)).prepare?.({ model: "", package: name });
        return { name, settings };
      } catch (cause) {
        const { message, hint } = cause as Error & { readonly hint?: string };
        return { name, settings, lack: message, hint };
      }
    }),
  );
}

/** Every setting that names a package. */
function packageSettings(get: (path: string) => Json | undefined) {
  const found: { readonly path: string; readonly name: string }[] = [];
  const take = (path: string, value: Json | undefined): void => {
    const name = words(objectOf(value)["package"]);
    if (name !== undefined) found.push({ path: `${path}.package`, name });
  };
  for (const path of ["model", "delegation", "fallback_model"]) take(path, get(path));
  for (const path of ["fallback_providers", "fallback_model", "custom_providers"])
    listOf(get(path)).forEach((row, index) => take(`${path}.${index}`, row));
  for (const path of ["providers", "auxiliary"])
    for (const [key, row] of Object.entries(objectOf(get(path)))) take(`${path}.${key}`, row);
  return found;
}
