/** Runs in the frame of a plugin's page, which can load only its own files. It sends commands to the page around it. */
// First of all: with WebRTC a page could send data to any host.
for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "mozRTCPeerConnection", "WebTransport"])
  Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false });

interface TrustedTypes {
  createPolicy(name: string, rules: { readonly [sink: string]: (text: string) => string }): unknown;
}
// A document in the page would have WebRTC again.
(globalThis as { readonly trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("default", {
  // Scripts in such HTML run only in a new document.
  createHTML: (html) => html.replaceAll(/srcdoc/gi, "data-srcdoc").replaceAll(/<script/gi, "<template"),
  createScriptURL: (url) => url,
});

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
