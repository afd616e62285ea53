import type { PluginListing } from "../../../contract/services/plugin-service.ts";
import { registeredCounts } from "../../shared/display/registered-counts.ts";
import { route, type Route } from "../route.ts";

/** Plugins and skills. */
export const PLUGIN_ROUTES: readonly Route[] = [
  route("GET /api/plugins", async ({ app }) => (await app.plugins.list()).map(shown)),
  route("POST /api/plugins/:key/enable", async ({ app, params: [key = ""], body }) => {
    const agreed = body["allowReplace"];
    const { listing, replaces, waits, withheld } = await app.plugins.enable(key, {
      allowReplace: Array.isArray(agreed) ? agreed.map(String) : agreed === true,
    });
    // Reload so that this process has exactly the enabled plugins.
    if (!waits) await app.plugins.reload();
    return { plugin: shown(await app.plugins.info(listing.key)), replaces: waits ? replaces : [], withheld };
  }),
  route("POST /api/plugins/:key/disable", async ({ app, params: [key = ""] }) => {
    const listing = await app.plugins.disable(key);
    await app.plugins.reload();
    return listing === undefined ? {} : { plugin: shown(await app.plugins.info(listing.key)) };
  }),
  route("GET /api/skills", async ({ app }) =>
    (await app.skills.all()).map(({ name, description, category, path, source, hidden, problem }) => ({
      name,
      description,
      category,
      path,
      source,
      hidden: hidden?.why,
      problem,
    })),
  ),
];

function shown({ key, manifest, source, state, reason, from, unset, registered }: PluginListing): object {
  const { version, description, author, label } = manifest;
  return {
    key,
    label: label ?? manifest.name,
    version,
    description,
    author,
    source,
    state,
    reason,
    from,
    unset,
    registered,
    counts: registeredCounts(registered),
  };
}
