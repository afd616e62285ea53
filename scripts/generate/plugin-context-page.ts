import { OFFERS, type Refusal } from "../../src/plugin-runtimes/serve/offers.ts";
import { code, page, table, type Page } from "./page.ts";

/** What each host offers of a plugin's context, from the table that the hosts themselves keep to. */
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
    "A plugin's context, by host",
    "A plugin that runs in the agent has every member. Beside it, in [a process of its own](../plugins.md#where-plugins-run), a member works over [the protocol](../plugin-protocol.md), or is refused in these words, which `hermes plugins check` and `hermes plugins info` tell beforehand. What `ctx.proxy()`, `ctx.browserReturn()`, `ctx.chats()` and `ctx.jobs()` give is listed behind a point. The `register_…` functions are the same everywhere.",
    table(["Member", "Node process", "Python", "Of one that came from elsewhere"], rows),
    "Two slots take providers only in the agent, since they stream or answer without a promise: `model` and `terminal`. So do tools whose description is a function or that add to the system prompt. A TypeScript plugin of your own that registers one of these runs in the agent by itself.",
  );
}

function words({ why, instead }: Refusal): string {
  return `no: ${why}. ${instead}`;
}
