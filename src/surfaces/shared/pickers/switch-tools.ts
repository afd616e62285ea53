import type { PickItem } from "../../../contract/conversation/pick-list.ts";
import type { ToolListing } from "../../../contract/services/tool-service.ts";
import type { SlashHost } from "../commands/slash-host.ts";

/** Lists the tools and lets the user switch them. Resolves with what changed. */
export async function switchTools(host: SlashHost): Promise<string> {
  const { app, surface } = host;
  const read = async (): Promise<readonly ToolListing[]> => app.tools.list({ surface, prompter: true });
  let all = await read();
  const find = (name: string): ToolListing => all.find(({ declaration }) => declaration.name === name)!;
  const switched = new Switched();
  await host.browse?.({
    title: "Tools; changes apply from the next session on",
    items: all.map(toolItem),
    preview: (name) => toolText(find(name)),
    async toggle(name) {
      const on = !find(name).enabled;
      await app.tools[on ? "enable" : "disable"]([name], surface);
      all = await read();
      switched.put(name, find(name).enabled);
      return toolItem(find(name));
    },
  });
  return switched.text();
}

/** Lists the toolsets and lets the user switch them. Resolves with what changed. */
export async function switchToolsets(host: SlashHost): Promise<string> {
  const { app, surface } = host;
  const find = (name: string): Toolset => app.tools.toolsets().find((set) => set.name === name)!;
  const switched = new Switched();
  await host.browse?.({
    title: "Toolsets; changes apply from the next session on",
    items: app.tools.toolsets().map(toolsetItem),
    preview: (name) => `${find(name).description}\n\n${find(name).resolved.join("\n")}`,
    async toggle(name) {
      const on = !find(name).enabled;
      await app.tools[on ? "enable" : "disable"]([name], surface);
      switched.put(name, find(name).enabled);
      return toolsetItem(find(name));
    },
  });
  return switched.text();
}

type Toolset = ReturnType<SlashHost["app"]["tools"]["toolsets"]>[number];

function toolsetItem({ name, resolved, enabled }: Toolset): PickItem {
  return { value: name, label: `${enabled ? "✓" : "○"} ${name}`, detail: String(resolved.length) };
}

function toolItem({ declaration, enabled, availability }: ToolListing): PickItem {
  const mark = !enabled ? "○" : availability.ok ? "✓" : "✗";
  return { value: declaration.name, label: `${mark} ${declaration.name}`, detail: declaration.toolset };
}

function toolText({ declaration, owner, availability }: ToolListing): string {
  const inputs = Object.keys((declaration.input as { properties?: object }).properties ?? {});
  return [
    declaration.description || declaration.summary,
    "",
    `toolset  ${declaration.toolset}`,
    `plugin   ${owner}`,
    `effect   ${declaration.effect}${declaration.effectByCall ? " at most" : ""}`,
    ...(inputs.length === 0 ? [] : [`takes    ${inputs.join(", ")}`]),
    ...(availability.ok ? [] : ["", `Not available: ${availability.reason}`]),
  ].join("\n");
}

/** What the user switched, by name. */
class Switched {
  readonly #on = new Map<string, boolean>();

  put(name: string, on: boolean): void {
    if (this.#on.get(name) === !on) this.#on.delete(name);
    else this.#on.set(name, on);
  }

  text(): string {
    const names = (on: boolean): string =>
      [...this.#on].flatMap(([name, now]) => (now === on ? [name] : [])).join(", ");
    const parts = [
      ...(names(true) === "" ? [] : [`On: ${names(true)}.`]),
      ...(names(false) === "" ? [] : [`Off: ${names(false)}.`]),
    ];
    return parts.length === 0 ? "" : `${parts.join(" ")} This applies starting with the next session (/new).`;
  }
}
