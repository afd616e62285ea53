import { ToolFailure } from "hermes-agent/plugin";

export interface Weather {
  readonly name: string;
  readonly celsius: number;
  readonly fahrenheit: number;
}

const USUAL_BASE_URL = "https://api.weatherapi.com";
const MAX_BYTES = 1_000_000;

/** Asks weatherapi.com for the current weather. Rejects with `ToolFailure`; no message contains the key. */
export async function fetchWeather(options: {
  readonly key: string;
  readonly location: string;
  readonly baseUrl: string | undefined;
  readonly signal: AbortSignal;
}): Promise<Weather> {
  const url = new URL("/v1/current.json", options.baseUrl ?? USUAL_BASE_URL);
  url.searchParams.set("key", options.key);
  url.searchParams.set("q", options.location);
  const { status, body } = await get(url, options.signal);
  const answer = parse(body);
  if (status !== 200)
    throw new ToolFailure(
      "unavailable",
      `The weather service answered ${status}${typeof answer?.error?.message === "string" ? `: ${answer.error.message}` : ""}`,
    );
  const { temp_c: celsius, temp_f: fahrenheit } = answer?.current ?? {};
  if (typeof celsius !== "number" || typeof fahrenheit !== "number")
    throw new ToolFailure("unavailable", "The weather service answered without a temperature.");
  return {
    name: typeof answer?.location?.name === "string" ? answer.location.name : options.location,
    celsius,
    fahrenheit,
  };
}

interface Answer {
  readonly location?: { readonly name?: unknown };
  readonly current?: { readonly temp_c?: unknown; readonly temp_f?: unknown };
  readonly error?: { readonly message?: unknown };
}

function parse(body: string): Answer | undefined {
  try {
    return JSON.parse(body) as Answer;
  } catch {
    return undefined; // Probably a page of a proxy; the status shows the error.
  }
}

function get(url: URL, signal: AbortSignal): Promise<{ readonly status: number; readonly body: string }> {
  // Not an import: evaluating the whole module costs 50 ms the first time.
  const { request } = process.getBuiltinModule(url.protocol === "http:" ? "node:http" : "node:https");
  return new Promise((resolve, reject) => {
    const failed = (cause: Error): void =>
      reject(
        signal.aborted
          ? (signal.reason as Error)
          : new ToolFailure("unavailable", `Cannot connect to the weather service at ${url.host}.`, { cause }),
      );
    const asking = request(url, { signal, headers: { accept: "application/json" } }, (response) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      response.on("data", (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > MAX_BYTES) response.destroy(new Error("The answer is too long."));
        else pieces.push(piece);
      });
      response.on("error", failed);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString("utf8") }),
      );
    });
    asking.on("error", failed);
    asking.end();
  });
}
