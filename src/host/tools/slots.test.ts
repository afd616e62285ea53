import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserProvider } from "../../contract/providers/browser-provider.ts";
import type { TerminalBackend } from "../../contract/providers/terminal.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { SlotRegistry } from "./slots.ts";

function service(config: { readonly [path: string]: string }, ids: readonly string[]) {
  const slots = new SlotRegistry({ log: quietLog(), config: (path) => config[path] });
  for (const id of ids)
    slots.add(
      "terminal",
      { id, label: undefined, data: {}, load: () => Promise.resolve({ id } as TerminalBackend) },
      `terminal-${id}`,
    );
  return slots;
}

// req: terminal.env-type
test("the configuration selects the provider, and a given ID overrides it", async () => {
  const slots = service({ "terminal.backend": "docker" }, ["local", "docker"]);
  assert.equal((await slots.use("terminal")).id, "docker");
  assert.equal((await slots.use("terminal", "local")).id, "local");
});

test("the error for an unknown provider lists the existing ones and the setting that selected it", async () => {
  await assert.rejects(service({ "terminal.backend": "dokcer" }, ["local", "docker"]).use("terminal"), {
    message: 'There is no terminal provider "dokcer" (terminal.backend).',
    hint: "Available: docker, local.",
    exitCode: 78,
  });
  await assert.rejects(service({}, []).use("terminal", "ssh"), { hint: "Available: none." });
});

test("a provider is listed with its plugin", () => {
  const slots = service({}, ["docker"]);
  assert.deepEqual(
    [
      slots.ownerOf("terminal", "docker"),
      slots.ownerOf("terminal", "ssh"),
      slots.ownerOf("no-slot" as "terminal", "docker"),
    ],
    ["terminal-docker", undefined, undefined],
  );
});

test("without a setting the only provider is used, and several are an error that asks for a choice", async () => {
  assert.equal((await service({}, ["local"]).use("terminal")).id, "local");
  await assert.rejects(service({}, ["local", "docker"]).use("terminal"), {
    message: "No terminal provider is selected.",
    hint: "Set terminal.backend to one of: docker, local.",
  });
  assert.equal(service({ "model.provider": "auto" }, []).chosen("model"), undefined);
});

test("a browser is selected by its setting or by the built-in order, never because it is the only one", async () => {
  const browsers = (config: { readonly [path: string]: string }, ids: readonly string[]) => {
    const slots = new SlotRegistry({
      log: quietLog(),
      config: (path) => config[path],
      waiting: (provider) =>
        provider === "browser/browserbase" ? "Plugin browserbase disabled (missing: BROWSERBASE_API_KEY)" : undefined,
    });
    for (const id of ids)
      slots.add(
        "browser",
        { id, label: undefined, data: {}, load: () => Promise.resolve({ name: id } as BrowserProvider) },
        `browser/${id}`,
      );
    return slots;
  };
  const found = (setting: string | undefined, ...ids: string[]) => {
    const slots = browsers(setting === undefined ? {} : { "browser.cloud_provider": setting }, ids);
    return [slots.chosen("browser"), slots.filled("browser")];
  };
  assert.deepEqual(found(undefined, "firecrawl"), [undefined, false]);
  assert.deepEqual(found(undefined, "browserbase", "browser-use"), ["browser-use", true]);
  assert.deepEqual(found("", "browserbase", "firecrawl"), ["browserbase", true]);
  assert.deepEqual(found("Local", "browserbase"), [undefined, false]);
  assert.deepEqual(found("firecrawl", "browserbase", "firecrawl"), ["firecrawl", true]);
  assert.deepEqual(found("firecrawl", "browserbase"), ["firecrawl", false]);
  await assert.rejects(browsers({}, ["mine"]).use("browser"), {
    message: "No browser provider is selected.",
    hint: "Set browser.cloud_provider to one of: mine.",
  });
  await assert.rejects(browsers({ "browser.cloud_provider": "browserbase" }, ["mine"]).use("browser"), {
    hint: "Plugin browserbase disabled (missing: BROWSERBASE_API_KEY). Available: mine.",
  });
});
