/** An OpenAI-compatible server on this machine. */
export interface LocalServer {
  readonly name: string;
  /** Id of its provider. */
  readonly provider: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
}

export interface LocalAddress {
  readonly name: string;
  readonly provider: string;
  readonly port: number;
}

/** Default addresses of such servers. */
export const USUAL_PLACES: readonly LocalAddress[] = [
  { name: "Ollama", provider: "ollama", port: 11434 },
  { name: "LM Studio", provider: "lmstudio", port: 1234 },
  { name: "llama.cpp", provider: "llamacpp", port: 8080 },
  { name: "vLLM", provider: "vllm", port: 8000 },
];

const LIMIT_MS = 150;
const MAX_LISTING_BYTES = 1_000_000;

/** Probes all addresses at once, loopback only, briefly. A server that answers with a list of models counts. */
export async function findLocalServers(
  signal: AbortSignal,
  places: readonly LocalAddress[] = USUAL_PLACES,
  limitMs = LIMIT_MS,
): Promise<readonly LocalServer[]> {
  const found = await Promise.all(
    places.map(async ({ name, provider, port }) => {
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      const models = modelsIn(await get(`${baseUrl}/models`, signal, limitMs));
      return models === undefined ? [] : [{ name, provider, baseUrl, models }];
    }),
  );
  return found.flat();
}

/**
 * The body, or undefined: a port with another or no server is not an error. Avoids `fetch`, which would load undici.
 */
function get(url: string, signal: AbortSignal, limitMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(undefined);
    const request = process
      .getBuiltinModule("node:http")
      .get(url, { agent: false, headers: { accept: "application/json" } });
    const stop = (): void => void request.destroy();
    const timer = setTimeout(stop, limitMs);
    signal.addEventListener("abort", stop, { once: true });
    const settle = (body: string | undefined): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      request.destroy();
      resolve(body);
    };
    request.on("error", () => settle(undefined));
    request.on("close", () => settle(undefined));
    request.on("response", (response) => {
      if (response.statusCode !== 200) return settle(undefined);
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      response.on("data", (chunk: Uint8Array) => {
        bytes += chunk.length;
        if (bytes > MAX_LISTING_BYTES) settle(undefined);
        else chunks.push(chunk);
      });
      response.on("error", () => settle(undefined));
      response.on("end", () => settle(Buffer.concat(chunks).toString("utf8")));
    });
  });
}

function modelsIn(body: string | undefined): readonly string[] | undefined {
  if (body === undefined) return undefined;
  try {
    const { data } = JSON.parse(body) as { data?: unknown };
    // Ollama without models answers null.
    if (data === null) return [];
    if (!Array.isArray(data)) return undefined;
    return data.map((row: { id?: unknown } | null) => row?.id).filter((id): id is string => typeof id === "string");
  } catch {
    return undefined; // Some other service uses this port.
  }
}
