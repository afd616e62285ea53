import type { JsonObject } from "../../src/contract/common/json.ts";
import { code, page, table, type Page } from "./page.ts";
import type { BundledPlugin } from "./read-snapshot.ts";

export function providersPage(plugins: readonly BundledPlugin[]): Page {
  const providers = plugins.flatMap(({ key, registered }) =>
    registered.providers.flatMap((provider) => (provider.slot === "model" ? [{ ...provider, owner: key }] : [])),
  );
  const terminals = plugins.flatMap(({ key, registered }) =>
    registered.providers.flatMap((provider) => (provider.slot === "terminal" ? [{ ...provider, owner: key }] : [])),
  );
  return page(
    "providers.md",
    "Providers",
    "The providers of this version. Plugins add more with `ctx.provide`.",
    "## Models",
    `${providers.length} providers. Select one with \`hermes model PROVIDER/NAME\`; see [models](../models.md).`,
    table(
      ["Provider", "Name", "Also", "Key", "Address", "Default model"],
      providers.map(({ id, label, data }) => [
        code(id),
        label ?? id,
        list(data.aliases),
        keys(data),
        typeof data.baseUrl === "string" ? data.baseUrl : id === "custom" ? "yours" : "",
        typeof data.defaultModel === "string" ? code(data.defaultModel) : "",
      ]),
    ),
    "## Terminals",
    "Where commands run: `terminal.backend`.",
    table(
      ["Backend", "Name", "Isolated from your machine"],
      terminals.map(({ id, label, data }) => [code(id), label ?? id, data.isolated === true ? "yes" : "no"]),
    ),
  );
}

function keys(data: JsonObject): string {
  const names = list(data.keyEnv);
  if (data.program === true) return "its program's sign-in";
  return names === "" ? "none" : data.keyOptional === true ? `${names} (optional)` : names;
}

function list(value: unknown): string {
  return Array.isArray(value) ? value.map((item) => code(String(item))).join(", ") : "";
}
