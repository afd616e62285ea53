/** Runs in the frame of a plugin's page, which reaches nothing but its own files: what it wants run goes to the page around it. */
const place = document.querySelector<HTMLElement>("#place")!;
const waiting = new Map<number, PromiseWithResolvers<string>>();
let count = 0;
const query = new URLSearchParams(location.search);

addEventListener("message", (event: MessageEvent) => {
  if (event.source !== parent) return;
  const { id, ok, text } = event.data as { readonly id: number; readonly ok: boolean; readonly text: string };
  const asked = waiting.get(id);
  waiting.delete(id);
  if (ok) asked?.resolve(text);
  else asked?.reject(new Error(text));
});

/** What a plugin's page is given beside its place. */
export const hermes = {
  /** Runs a slash command of the plugin that its manifest names in `api`. @returns what it answers. */
  run(command: string, args = ""): Promise<string> {
    const asked = Promise.withResolvers<string>();
    const id = count++;
    waiting.set(id, asked);
    parent.postMessage({ id, command, args }, "*");
    return asked.promise;
  },
  language: query.get("language") ?? "en",
  /** `light` or `dark`; absent under a look of a plugin. */
  look: query.get("look") ?? undefined,
};

// As high as what is in it: the page around scrolls.
new ResizeObserver(() => parent.postMessage({ height: place.offsetHeight }, "*")).observe(place);

try {
  document.documentElement.lang = hermes.language;
  const page = (await import(place.dataset["entry"]!)) as {
    readonly default?: (place: HTMLElement, given: typeof hermes) => unknown;
  };
  if (typeof page.default !== "function") throw new Error("Its module exports no default function.");
  await page.default(place, hermes);
} catch (error) {
  const line = document.createElement("p");
  line.className = "told bad";
  line.textContent = `The plugin's page failed: ${error instanceof Error ? error.message : String(error)}`;
  place.append(line);
}
