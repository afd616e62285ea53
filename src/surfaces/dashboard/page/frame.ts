/** Runs in the frame of a plugin's page, which can load only its own files. It sends commands to the page around it. */
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

/** The API that a plugin's page receives with its element. */
export const hermes = {
  /** Runs a slash command of the plugin that its manifest lists in `api`. @returns its output. */
  run(command: string, args = ""): Promise<string> {
    const asked = Promise.withResolvers<string>();
    const id = count++;
    waiting.set(id, asked);
    parent.postMessage({ id, command, args }, "*");
    return asked.promise;
  },
  language: query.get("language") ?? "en",
  /** `light` or `dark`; absent with a plugin's theme. */
  look: query.get("look") ?? undefined,
};

// Report the content height, because only the outer page scrolls.
new ResizeObserver(() => parent.postMessage({ height: place.offsetHeight }, "*")).observe(place);

try {
  document.documentElement.lang = hermes.language;
  const page = (await import(place.dataset["entry"]!)) as {
    readonly default?: (place: HTMLElement, given: typeof hermes) => unknown;
  };
  if (typeof page.default !== "function") throw new Error("The module has no default export function.");
  await page.default(place, hermes);
} catch (error) {
  const line = document.createElement("p");
  line.className = "notice bad";
  line.textContent = `This plugin page failed: ${error instanceof Error ? error.message : String(error)}`;
  place.append(line);
}
