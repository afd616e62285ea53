import { UserError } from "../../../../contract/common/failure.ts";
import type { App } from "../../../../contract/services/app.ts";
import type { Call } from "../../program/call.ts";
import type { Io } from "../../../shared/process/io.ts";
import { modelNow } from "../../../shared/conversation/model-now.ts";
import { Questions } from "../../input/questions.ts";
import { askModel } from "./pick-model.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { namedModel } from "../../../shared/conversation/named-model.ts";
import { modelAndServer } from "../../output/model-and-server.ts";

interface ModelOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly list?: boolean;
  /** `--no-check` */
  readonly check?: boolean;
}

/**
 * `hermes model provider/name` chooses the model. Without a name it asks in a terminal; elsewhere it shows the model
 * in use.
 */
export async function model({ io, open }: Call, name: string | undefined, options: ModelOptions): Promise<void> {
  const app = await open();
  if (options.list) return listModels(app, io, name);
  if (name !== undefined) return choose(app, io, name, options);
  if (io.interactive) {
    using questions = await Questions.open(io);
    await askModel(app, io, questions);
    return;
  }
  await showCurrent(app, io);
}

async function choose(app: App, io: Io, name: string, options: ModelOptions): Promise<void> {
  // A named server needs no provider. A model without a provider belongs to the provider in use.
  const current = options.baseUrl === undefined ? await modelNow(app) : { offline: false, provider: "custom" };
  const { provider, model: chosen } = await namedModel(
    app,
    name,
    "problem" in current ? { offline: true, provider: "" } : current,
  );
  const choice = { provider, model: chosen, baseUrl: options.baseUrl, apiKey: options.apiKey };
  if (options.check !== false) await checkFirst(app, io, choice);
  await app.models.choose(choice);
  io.out(
    `Hermes uses ${modelAndServer({ model: chosen, provider, baseUrl: options.baseUrl })} from the next turn on.\n`,
  );
  const known = (await app.models.providers()).find(({ id }) => id === provider);
  if (known !== undefined && !known.ready)
    io.note(
      `${io.style("yellow", known.reason ?? "It is not ready yet.")} ${known.program ? "" : `Pass the key with --api-key, or set ${known.keyEnv.join(" or ")}.`}\n`,
    );
}

/** A choice that cannot answer would replace a model that can, so it is not saved. */
async function checkFirst(app: App, io: Io, choice: Parameters<App["models"]["choose"]>[0]): Promise<void> {
  const check = await app.models.check(choice, io.signal);
  if (check.ok) return;
  if (!check.certain) return io.note(`${io.style("yellow", `The model could not be checked: ${check.reason}`)}\n`);
  const known = (await app.models.providers()).find(({ id }) => id === choice.provider);
  const lacksKey = known !== undefined && !known.ready && !known.program && choice.apiKey === undefined;
  const near = check.near ?? [];
  throw new UserError(check.reason, {
    hint: `Nothing was saved. ${near.length === 0 ? "" : `Similar models: ${near.join(", ")}. `}${lacksKey ? `Pass the key with --api-key, or set ${known.keyEnv.join(" or ")}. ` : ""}--no-check saves it without a request.`,
    exitCode: 78,
  });
}

async function showCurrent(app: App, io: Io): Promise<void> {
  const current = await app.models.current();
  const { provider, baseUrl, source, offline, notice } = current;
  // The notice also names local model servers.
  if (notice !== undefined) return io.out(asTyped(`${notice}\n`));
  if (offline)
    return io.out(
      asTyped(
        "No model is connected, so the built-in rules answer. Connect one with `hermes setup` or `hermes model provider/name`.\n",
      ),
    );
  io.out(
    `${modelAndServer(current)}${baseUrl === undefined || provider === "custom" ? "" : ` at ${baseUrl}`}  (${source})\n`,
  );
}

/** Lists the models of the named provider, else of the one in use. */
async function listModels(app: App, io: Io, named: string | undefined): Promise<void> {
  const current = named === undefined ? await app.models.current() : undefined;
  // Models that need no setup, in the form that `hermes model` takes.
  if (current?.offline === true)
    for (const server of await app.models.findLocal(io.signal))
      for (const name of server.models) io.out(`${server.provider}/${name}\n`);
  for (const name of await app.models.list(named ?? current!.provider, io.signal)) io.out(`${name}\n`);
}
