import { OFFERS, type Refusal } from "../../src/host/plugins/registry/offers.ts";
import { code, page, table, type Page } from "./page.ts";

/** The context members that each plugin runtime supports, from the table that the runtimes use. */
export function pluginContextPage(): Page {
  const rows = Object.entries(OFFERS)
    .filter(([member]) => !member.startsWith("register_"))
    .map(([member, { node, python, elsewhere }]) => [
      code(`ctx.${member}`),
      node === undefined ? "yes" : words(node),
      typeof python === "string" ? code(`ctx.${python}`) : words(python),
      elsewhere === undefined ? (node === undefined ? "yes" : "no") : words(elsewhere),
    ]);
  return page(
    "plugin-context.md",
    "The plugin context, by runtime",
    "A plugin in the agent's process has every member. In [a separate process](../plugins.md#where-plugins-run), a member works over [the protocol](../plugin-protocol.md), or fails with the message in the table; `hermes plugins check` and `hermes plugins info` report these members beforehand. Rows with a second dot, such as `ctx.proxy.serve`, are members of what `ctx.proxy()`, `ctx.browserReturn()`, `ctx.chats()` and `ctx.jobs()` return. The `register_…` functions are the same everywhere.",
    table(["Member", "Node process", "Python", "Installed plugin"], rows),
    "Two slots accept providers only in the agent's process, because they stream or return synchronously: `model` and `terminal`. The same applies to tools whose description is a function or that add to the system prompt. Your own TypeScript plugin that registers one of these automatically runs in the agent's process.",
  );
}

function words({ why, instead }: Refusal): string {
  return `no: ${why}. ${instead}`;
}
