import type { SlashHost } from "../commands/slash-host.ts";

/** Lets the user pick a skin. Each skin that is selected colours the screen; leaving restores the one before. */
export async function pickSkin({ browse, display, skins, redraw }: SlashHost): Promise<string | undefined> {
  if (browse === undefined || display === undefined || skins === undefined) return undefined;
  const all = await skins.read();
  const before = display.get().skin;
  const put = (skin: string): void => {
    if (display.get().skin === skin) return;
    display.set({ skin });
    redraw?.();
  };
  const picked = await browse({
    title: "Which skin?",
    items: all.map(({ name, problem }) => ({
      value: name,
      label: name,
      detail: problem !== undefined ? "not usable" : name === before ? "current" : "",
    })),
    selected: before,
    preview: (name) => skins.named(name)?.problem ?? skins.named(name)?.description ?? "",
    verb: "keeps it",
    moved: (name) => put(skins.named(name)?.problem === undefined ? name : before),
  });
  put(before);
  return picked;
}
