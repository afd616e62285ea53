import type { App } from "../../../contract/app.ts";
import { UserError } from "../../../contract/failure.ts";
import type { Call } from "../call.ts";
import { EXIT } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { modelNow } from "../model-now.ts";
import { Questions } from "../questions.ts";
import { askModel } from "./pick-model.ts";
import { asTyped } from "../../called-as.ts";

interface ModelOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly list?: boolean;
}

/** `hermes model`: what is in use; `hermes model provider/name` chooses; with a terminal and no name, it asks. */
export async function model({ io, open }: Call, name: string | undefined, options: ModelOptions): Promise<void> {
  const app = await open();
  if (options.list) return listModels(app, io, name);
  if (name !== undefined) return choose(app, io, name, options);
  if (io.interactive) {
    using questions = await Questions.open(io);
    return await askModel(app, io, questions);
  }
  await showCurrent(app, io);
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
  const current = await modelNow(app);
  if (!current.offline) return { provider: current.provider, model: name };
  throw new UserError(`"${name}" does not say which provider serves it.`, { hint: `Write provider/name. Providers: ${providers.map(({ id }) => id).join(", ")}.`, exitCode: EXIT.usage });
}

async function showCurrent(app: App, io: Io): Promise<void> {
  const { provider, model: name, baseUrl, source, offline } = await app.models.current();
  if (offline) return io.out(asTyped("No model is connected: the built-in rules answer. `hermes setup` connects one, `hermes model provider/name` too.\n"));
  io.out(`${name} by ${provider}${baseUrl === undefined ? "" : ` at ${baseUrl}`}  (${source})\n`);
}

async function listModels(app: App, io: Io, provider: string | undefined): Promise<void> {
  const id = provider ?? (await app.models.current()).provider;
  for (const name of await app.models.list(id, io.signal)) io.out(`${name}\n`);
}
