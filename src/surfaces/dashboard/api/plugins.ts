import { UserError } from "../../../contract/common/failure.ts";
import type { PluginListing } from "../../../contract/services/plugin-service.ts";
import { registeredCounts } from "../../shared/display/registered-counts.ts";
import { enablePlugin } from "../../shared/plugins/enable-plugin.ts";
import { installPlugin } from "../../shared/plugins/install-plugin.ts";
import type { Operations } from "../operations.ts";
import { listIn, route, textIn, type Route } from "../route.ts";

const DECISIONS = ["allow", "never", "ask"] as const;

/** Plugins: the same flows and questions as `hermes plugins`. */
export function pluginRoutes(operations: Operations): readonly Route[] {
  return [
    route("GET /api/plugins", async ({ app }) => (await app.plugins.list()).map(shown)),
    route("GET /api/plugins/:key", async ({ app, params: [key = ""] }) => {
      const listing = await app.plugins.info(key);
      const { calls, lacking = [], secrets, runsIn, dir } = listing;
      return { ...shown(listing), grants: listing.manifest.grants, calls, lacking, secrets, runsIn, dir };
    }),
    operations.route("POST /api/plugins/install", async ({ app, body }, { user }) => {
      const ref = body["ref"] === undefined ? undefined : textIn(body, "ref").trim();
      const status = await installPlugin(
        app,
        textIn(body, "from").trim(),
        { ref: ref === "" ? undefined : ref, force: body["force"] === true },
        user,
      );
      await app.plugins.reload();
      return status;
    }),
    operations.route("POST /api/plugins/:key/enable", async ({ app, params: [key = ""] }, { user }) => {
      const status = await enablePlugin(app, key, {}, user);
      // Reload so that this process has exactly the enabled plugins.
      await app.plugins.reload();
      return status;
    }),
    route("POST /api/plugins/:key/disable", async ({ app, params: [key = ""] }) => {
      const listing = await app.plugins.disable(key);
      await app.plugins.reload();
      return listing === undefined ? {} : { plugin: shown(await app.plugins.info(listing.key)) };
    }),
    route("POST /api/plugins/:key/tools", async ({ app, params: [key = ""], body }) => {
      const decision = DECISIONS.find((one) => one === body["decision"]);
      if (decision === undefined)
        throw new UserError(`"${String(body["decision"])}" is not a decision about a tool.`, {
          hint: `Use one of: ${DECISIONS.join(", ")}.`,
        });
      return app.plugins.decideTools(key, listIn(body, "tools"), decision);
    }),
    // The page asks before it sends this, as the command does.
    route("DELETE /api/plugins/:key", async ({ app, params: [key = ""] }) => {
      await app.plugins.remove(key);
      await app.plugins.reload();
    }),
  ];
}

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
