import { randomBytes, randomUUID } from "node:crypto";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isObject, UserError, type CliIo, type JsonObject, type PluginContext } from "hermes-agent/plugin";
import { signature } from "hermes-agent/platform";
import { HELP } from "./help.ts";
import { NO_AUTH, routeOf, SUBSCRIPTIONS, subscriptionsIn } from "./webhook-routes.ts";

export type CommandContext = Pick<PluginContext, "changeFile" | "home" | "setting" | "env">;

const OPTIONS = {
  prompt: { type: "string" },
  events: { type: "string" },
  description: { type: "string" },
  skills: { type: "string" },
  deliver: { type: "string" },
  "deliver-chat-id": { type: "string" },
  secret: { type: "string" },
  "deliver-only": { type: "boolean" },
  payload: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = ReturnType<typeof read>["values"];

/** `hermes webhook …`. @returns the exit status. */
export async function webhookCommand(ctx: CommandContext, words: readonly string[], io: CliIo): Promise<number> {
  const { values, positionals } = read(words);
  const [action = "help", name, ...more] = positionals;
  if (values.help === true || action === "help") return (io.out(HELP), 0);
  if (more.length > 0) throw usage(`Too many arguments: ${more.join(" ")}`);
  if (["list", "ls"].includes(action)) return list(ctx, io);
  const run = { subscribe, add: subscribe, remove, rm: remove, test }[action];
  if (run === undefined) throw usage(`Unknown command "hermes webhook ${action}".`);
  if (name === undefined) throw usage(`\`hermes webhook ${action}\` needs the name of a route.`);
  if (!/^[\w-]+$/.test(name)) throw usage(`"${name}" is not a route's name: use letters, digits, _ and -.`);
  return run(ctx, name, values, io);
}

async function subscribe(ctx: CommandContext, name: string, values: Values, io: CliIo): Promise<number> {
  const list = (text: string | undefined): readonly string[] =>
    (text ?? "")
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "");
  const secret = values.secret ?? randomBytes(32).toString("base64url");
  const chatId = values["deliver-chat-id"];
  const route: JsonObject = {
    description: values.description ?? "",
    events: list(values.events),
    secret,
    prompt: values.prompt ?? "",
    skills: list(values.skills),
    deliver: values.deliver ?? "log",
    deliver_extra: chatId === undefined ? {} : { chat_id: chatId },
    deliver_only: values["deliver-only"] === true,
    created_at: new Date().toISOString(),
  };
  if (route["deliver_only"] === true && route["deliver"] === "log")
    throw usage("--deliver-only needs a platform: --deliver PLATFORM.");
  await ctx.changeFile(SUBSCRIPTIONS, (text) => printed({ ...subscriptionsIn(text), [name]: route }));
  await chmod(join(ctx.home, SUBSCRIPTIONS), 0o600);
  io.out(`Route ${name}: ${addressOf(ctx, name)}\n`);
  io.out(values.secret === undefined ? `Secret: ${secret}\n` : "The secret is the one that you gave.\n");
  if (secret === NO_AUTH) io.out("This route accepts unsigned requests from this machine only.\n");
  if (!isOn(ctx)) io.out("Webhooks are off. Switch them on with: hermes config set WEBHOOK_ENABLED true\n");
  return 0;
}

async function list(ctx: CommandContext, io: CliIo): Promise<number> {
  const dynamic = subscriptionsIn(await textOf(ctx));
  const given = ctx.setting("platforms.webhook.extra.routes");
  const fixed = isObject(given) ? (given as { readonly [name: string]: JsonObject }) : {};
  const all = { ...dynamic, ...fixed };
  if (Object.keys(all).length === 0)
    return (io.out("There are no webhook routes. Add one with: hermes webhook subscribe NAME\n"), 0);
  for (const [name, one] of Object.entries(all)) {
    const { enabled, events, deliver, deliverOnly, description } = routeOf(name, one, "");
    const facts = [
      enabled ? "" : "off",
      events.length === 0 ? "all events" : events.join(", "),
      `to ${deliver}${deliverOnly ? " without the agent" : ""}`,
      Object.hasOwn(fixed, name) ? "in config.yaml" : "",
    ];
    io.out(
      `${name}  ${facts.filter((fact) => fact !== "").join("; ")}${description === "" ? "" : `  ${description}`}\n`,
    );
    io.out(`  ${addressOf(ctx, name)}\n`);
  }
  return 0;
}

async function remove(ctx: CommandContext, name: string, _: Values, io: CliIo): Promise<number> {
  let found = false;
  await ctx.changeFile(SUBSCRIPTIONS, (text) => {
    const { [name]: removed, ...others } = subscriptionsIn(text);
    found = removed !== undefined;
    return found ? printed(others) : undefined;
  });
  if (!found) throw unknown(name);
  io.out(`Removed the route ${name}.\n`);
  return 0;
}

/** Sends a signed event, as a service would. */
async function test(ctx: CommandContext, name: string, values: Values, io: CliIo): Promise<number> {
  const given = ctx.setting(`platforms.webhook.extra.routes.${name}`);
  const found = isObject(given) ? (given as JsonObject) : subscriptionsIn(await textOf(ctx))[name];
  if (found === undefined) throw unknown(name);
  const { secret, events } = routeOf(name, found, ctx.env("WEBHOOK_SECRET") ?? "");
  const body = values.payload ?? JSON.stringify({ test: true, event_type: events[0] ?? "test" });
  const at = String(Math.floor(Date.now() / 1_000));
  const url = addressOf(ctx, name);
  let reply: Response;
  try {
    // To the gateway of this machine, which the guard of ctx.fetch does not let out.
    reply = await fetch(url, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-request-id": randomUUID(),
        "x-github-event": events[0] ?? "test",
        "x-webhook-timestamp": at,
        "x-webhook-signature-v2": signature({ key: secret, signed: [at, ".", body] }),
      },
    });
  } catch (cause) {
    throw new UserError(`Cannot reach ${url}.`, {
      hint: "Start the gateway with `hermes gateway`; `hermes gateway status` shows whether webhooks are on.",
      cause,
    });
  }
  io.out(`${reply.status} ${await reply.text()}\n`);
  return reply.ok ? 0 : 1;
}

function read(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    throw usage((cause as Error).message, cause);
  }
}

function usage(message: string, cause?: unknown): UserError {
  return new UserError(message, { hint: "hermes webhook --help", exitCode: 2, cause });
}

function unknown(name: string): UserError {
  return new UserError(`There is no webhook route "${name}".`, { hint: "`hermes webhook list` shows the routes." });
}

async function textOf({ home }: CommandContext): Promise<string | undefined> {
  try {
    return await readFile(join(home, SUBSCRIPTIONS), "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw cause;
  }
}

function printed(routes: { readonly [name: string]: JsonObject }): string {
  return `${JSON.stringify(routes, undefined, 2)}\n`;
}

function isOn(ctx: CommandContext): boolean {
  const value = ctx.env("WEBHOOK_ENABLED")?.toLowerCase() ?? "";
  return ["true", "1", "yes", "on"].includes(value) || ctx.setting("platforms.webhook.enabled") === true;
}

function addressOf(ctx: CommandContext, name: string): string {
  const first = (...values: readonly unknown[]): unknown => values.find((value) => value !== undefined && value !== "");
  const host = String(
    first(ctx.setting("platforms.webhook.extra.host"), ctx.setting("gateway.webhooks.host")) ?? "127.0.0.1",
  );
  const port = first(
    ctx.env("WEBHOOK_PORT"),
    ctx.setting("platforms.webhook.extra.port"),
    ctx.setting("gateway.webhooks.port"),
  );
  const shown = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${shown}:${String(port ?? 8_644)}/webhooks/${name}`;
}
