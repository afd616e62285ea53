import { browserContract, quietLog } from "hermes-agent/testing";
import type { BrowserProvider, Plugin, PluginContext } from "hermes-agent/plugin";
import browserbase from "../../../plugins/browser/browserbase/index.ts";
import browserUse from "../../../plugins/browser/browser-use/index.ts";
import firecrawl from "../../../plugins/browser/firecrawl/index.ts";
import { createFetch } from "../../../src/host/web/guarded-fetch.ts";
import { SERVICE_KEY, SERVICE_PROJECT, startBrowserServices } from "../../servers/browser-services.ts";
import { NO_CHROMIUM } from "../support/browsing.ts";

const PLUGINS: readonly (readonly [plugin: Plugin, variables: (url: string) => { readonly [name: string]: string }])[] =
  [
    [
      browserbase,
      (url) => ({
        BROWSERBASE_API_KEY: SERVICE_KEY,
        BROWSERBASE_PROJECT_ID: SERVICE_PROJECT,
        BROWSERBASE_BASE_URL: url,
      }),
    ],
    [browserUse, (url) => ({ BROWSER_USE_API_KEY: SERVICE_KEY, BROWSER_USE_BASE_URL: url })],
    [firecrawl, (url) => ({ FIRECRAWL_API_KEY: SERVICE_KEY, FIRECRAWL_API_URL: url })],
  ];

/** The plugin's registrations, with the guarded network access and these variables. */
async function registered(plugin: Plugin, variables: { readonly [name: string]: string }): Promise<BrowserProvider> {
  let provider: BrowserProvider | undefined;
  const fetch = createFetch({
    policy: () => ({ allowPrivate: true }),
    secrets: () => [SERVICE_KEY],
    own: () => [{ value: SERVICE_KEY }],
    proxy: () => undefined,
  });
  const ctx: Pick<PluginContext, "env" | "fetch" | "log"> = { env: (name) => variables[name], fetch, log: quietLog() };
  await plugin({
    ...ctx,
    register_browser_provider: (given: BrowserProvider) => void (provider = given),
  } as unknown as PluginContext);
  return provider!;
}

for (const [plugin, variables] of PLUGINS) {
  if (NO_CHROMIUM !== false) continue;
  const { name } = await registered(plugin, {});
  browserContract(
    name,
    async () => {
      const service = await startBrowserServices();
      const provider = await registered(plugin, variables(service.url));
      return {
        provider,
        open: () => service.open,
        refuse() {
          service.does.answers.push({ status: 503 }, { status: 503 });
          service.does.endStatus = 503;
        },
        [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
      };
    },
    { key: SERVICE_KEY },
  );
}
