import type { App } from "../../../contract/app.ts";
import { UserError } from "../../../contract/failure.ts";
import type { Call } from "../cli.ts";
import { EXIT } from "../exit-code.ts";
import type { Io } from "../io.ts";

interface ModelOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly list?: boolean;
}

/** `hermes model`: what is in use; `hermes model provider/name` chooses; with a terminal and no name, asks. */
export async function model({ io, open }: Call, name: string | undefined, options: ModelOptions): Promise<void> {
  const app = await open();
  if (options.list) return listModels(app, io, name);
  if (name !== undefined) return choose(app, io, name, options);
  if (io.interactive) return ask(app, io);
  await showCurrent(app, io);
}

export async function setup({ io, open }: Call): Promise<void> {
  const app = await open();
  if (!io.interactive) throw new UserError("Setup asks questions, and nobody can be asked here.", { hint: "In a script: `hermes model provider/name --api-key …`, or set OPENROUTER_API_KEY, ANTHROPIC_API_KEY or OPENAI_API_KEY." });
  await ask(app, io);
}

async function choose(app: App, io: Io, name: string, options: ModelOptions): Promise<void> {
  const { provider, model: chosen } = await split(app, name, options);
  await app.models.choose({ provider, model: chosen, baseUrl: options.baseUrl, apiKey: options.apiKey });
  io.out(`Hermes uses ${chosen} by ${provider} from the next turn on.\n`);
  const known = (await app.models.providers()).find(({ id }) => id === provider);
  if (known !== undefined && !known.ready) io.note(`${io.style("yellow", known.reason ?? "It is not ready yet.")} Give the key with --api-key, or set ${known.keyEnv.join(" or ")}.\n`);
}

/** The part before the first slash is a provider only if one has that id: `openrouter/meta/llama` is, `meta/llama` is not. */
async function split(app: App, name: string, options: ModelOptions): Promise<{ readonly provider: string; readonly model: string }> {
  const providers = await app.models.providers();
  const slash = name.indexOf("/");
  const head = slash < 0 ? name : name.slice(0, slash);
  if (slash > 0 && providers.some(({ id }) => id === head)) return { provider: head, model: name.slice(slash + 1) };
  if (options.baseUrl !== undefined) return { provider: "custom", model: name };
  const current = await app.models.current();
  if (!current.offline) return { provider: current.provider, model: name };
  throw new UserError(`"${name}" does not say which provider serves it.`, { hint: `Write provider/name. Providers: ${providers.map(({ id }) => id).join(", ")}.` });
}

async function showCurrent(app: App, io: Io): Promise<void> {
  const { provider, model: name, baseUrl, source, offline } = await app.models.current();
  if (offline) return io.out("No model is connected: the built-in rules answer. `hermes setup` connects one, `hermes model provider/name` too.\n");
  io.out(`${name} by ${provider}${baseUrl === undefined ? "" : ` at ${baseUrl}`}  (${source})\n`);
}

async function listModels(app: App, io: Io, provider: string | undefined): Promise<void> {
  const id = provider ?? (await app.models.current()).provider;
  for (const name of await app.models.list(id, io.signal)) io.out(`${name}\n`);
}

async function ask(app: App, io: Io): Promise<void> {
  await showCurrent(app, io);
  const { createInterface } = await import("node:readline/promises");
  const { hiddenLine } = await import("../hidden-line.ts");
  io.note("Looking for model servers on this machine…\n");
  const local = await app.models.findLocal(io.signal);
  const providers = await app.models.providers();
  const offers = [
    ...local.flatMap((server) => server.models.slice(0, 5).map((name) => ({ label: `${name} (${server.name} at ${server.baseUrl})`, provider: "custom", model: name, baseUrl: server.baseUrl, needsKey: [] as readonly string[] }))),
    ...providers.filter(({ id }) => id !== "offline" && id !== "custom").map((provider) => ({ label: `${provider.label}${provider.ready ? " (key is set)" : ""}`, provider: provider.id, model: "", baseUrl: undefined, needsKey: provider.ready ? [] : provider.keyEnv })),
    { label: "Another OpenAI-compatible server", provider: "custom", model: "", baseUrl: "", needsKey: [] as readonly string[] },
  ];
  offers.forEach(({ label }, index) => io.note(`  ${String(index + 1).padStart(2)}. ${label}\n`));
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const question = (text: string): Promise<string> => lines.question(text).then((typed) => typed.trim());
  try {
    const typed = await question("Number (Enter leaves it as it is): ");
    if (typed === "") return;
    const offer = offers[Number(typed) - 1];
    if (offer === undefined) throw new UserError(`There is no number ${typed}.`, { exitCode: EXIT.usage });
    const baseUrl = offer.baseUrl === "" ? await question("Base URL, e.g. http://127.0.0.1:8080/v1: ") : offer.baseUrl;
    const name = offer.model === "" ? await question("Model name (empty for the provider's default): ") : offer.model;
    const apiKey = offer.needsKey.length === 0 ? undefined : await hiddenLine(lines, `${offer.needsKey[0]} (kept in .env, not shown): `);
    await app.models.choose({ provider: offer.provider, model: name, baseUrl, apiKey: apiKey === "" ? undefined : apiKey });
  } finally {
    lines.close();
  }
  await showCurrent(app, io);
}
