import { loadServerTexts, sayServer } from "./server-text.ts";

/** An error of the server, with the same text as on the command line. */
export class Refused extends Error {
  readonly status: number;
  readonly hint: string | undefined;

  constructor(status: number, error: string, hint: string | undefined) {
    super(error);
    this.status = status;
    this.hint = hint;
  }
}

const RETAINED = "hermes-token";

/**
 * Reads the token after the `#` of the link, which is never sent, and removes it from the address bar. Each start has a
 * new one.
 */
export function takeToken(): void {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  localStorage.setItem(RETAINED, token);
  history.replaceState(null, "", "#/");
}

export async function ask<Value>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Value> {
  return (await (await send(method, path, body, signal)).json()) as Value;
}

/** Streams values, one a line. @param body Sends it with POST. */
export async function* follow<Value>(path: string, signal: AbortSignal, body?: object): AsyncGenerator<Value> {
  let rest = "";
  for await (const piece of await openStream(path, signal, body)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as Value;
  }
}

/** The text of a response as it arrives. @throws {Refused} */
export async function openStream(path: string, signal: AbortSignal, body?: object): Promise<AsyncGenerator<string>> {
  const response = await send(body === undefined ? "GET" : "POST", path, body, signal);
  return (async function* () {
    const decoder = new TextDecoder();
    const reader = response.body!.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read())
      yield decoder.decode(piece.value, { stream: true });
  })();
}

/** Downloads a file. */
export async function save(path: string): Promise<void> {
  const response = await send("GET", path);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "hermes.txt";
  download(name, await response.blob());
}

/** Lets the browser save a file. */
export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(path, {
    method,
    headers: {
      "x-hermes-session-token": localStorage.getItem(RETAINED) ?? "",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.ok) return response;
  const { error, hint } = (await response.json().catch(() => ({}))) as {
    readonly error?: string;
    readonly hint?: string;
  };
  await loadServerTexts();
  throw new Refused(
    response.status,
    sayServer(error ?? `${response.status} ${response.statusText}`),
    hint === undefined ? undefined : sayServer(hint),
  );
}
