import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import { systemReason } from "../../../contract/common/system-reason.ts";
import type { OutgoingFile } from "../../../contract/conversation/outgoing-file.ts";
import type { DeliveryState, Destination, GatewayService } from "../../../contract/services/gateway-service.ts";
import { mediaTags } from "../../shared/conversation/media-tags.ts";
import { tableOn } from "../../shared/display/table.ts";
import { asTyped } from "../../shared/process/called-as.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import type { Call } from "../program/call.ts";

export interface SendOptions {
  readonly to?: string;
  readonly file?: string;
  readonly subject?: string;
  readonly list?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
  /** Seconds. */
  readonly wait: string;
}

const POLL_MS = 200;

/** `hermes send`: puts a message into the outbox, and waits until the running gateway has sent it. */
export async function send(call: Call, message: string | undefined, options: SendOptions): Promise<number> {
  const { io, open } = call;
  const waitMs = secondsOf(options.wait) * 1000;
  if (options.list === true) return listTargets(call, message, options.json === true);
  const to = options.to;
  if (to === undefined)
    throw usage(
      "The target is missing.",
      "`hermes send --to telegram TEXT` sends to a home channel; `--list` shows the targets.",
    );
  const text = await textOf(message, options, io.note);
  const app = await open();
  const service = await app.gateway();
  const places = destinations(to, service);
  const { body, files } = await filesOf(text, service);
  const id = randomUUID();
  const sent = places.map((place) => ({ place, key: `send:${id}:${targetOf(place)}` }));
  for (const { place, key } of sent) await service.deliver({ ...place, key }, body, files);
  const running = await service.running();
  const ends = await outcomes(service, sent, running ? waitMs : 0, io.signal);
  report(call, ends, running, options);
  return ends.every(({ state }) => state === "sent" || (state === "waiting" && !running)) ? EXIT.ok : EXIT.failed;
}

interface Outcome extends DeliveryState {
  readonly target: string;
}

async function outcomes(
  service: GatewayService,
  sent: readonly { readonly place: Destination; readonly key: string }[],
  waitMs: number,
  signal: AbortSignal,
): Promise<readonly Outcome[]> {
  const lanes = await service.lanes();
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    const states = await Promise.all(
      sent.map(async ({ place, key }): Promise<Outcome> => {
        const { state, why } = (await lanes.delivery(key)) ?? { state: "unknown", why: undefined };
        return { target: targetOf(place), state, why };
      }),
    );
    const open = states.some(({ state }) => state === "waiting" || state === "sending");
    if (!open || performance.now() >= giveUpAt || signal.aborted) return states;
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined); // An interrupt ends the wait.
  }
}

function report({ io }: Call, ends: readonly Outcome[], running: boolean, options: SendOptions): void {
  if (options.json === true) return io.out(`${JSON.stringify({ running, deliveries: ends }, null, 2)}\n`);
  for (const { target, state, why } of ends) {
    if (state === "sent") {
      if (options.quiet !== true) io.out(`Sent to ${target}.\n`);
    } else if (state === "waiting" && !running) {
      if (options.quiet !== true)
        io.note(
          asTyped(
            `The message to ${target} is in the outbox. No gateway is running; it is sent when one starts: hermes gateway\n`,
          ),
        );
    } else
      io.note(
        asTyped(
          `${io.style("red", "Error:")} The message to ${target} is not confirmed (${STATES[state]}${why === undefined ? "" : `: ${why}`}).\n${HINTS[state]}\n`,
        ),
      );
  }
}

const STATES: { readonly [State in DeliveryState["state"]]: string } = {
  waiting: "the gateway has not sent it yet",
  sending: "the gateway is still sending it",
  sent: "sent",
  failed: "the platform refused it",
  unknown: "the gateway stopped while it sent",
};
const HINTS: { readonly [State in DeliveryState["state"]]: string } = {
  waiting: "It stays in the outbox. `hermes gateway status` shows whether the platform is connected.",
  sending: "It stays in the outbox. `hermes logs` shows the gateway's errors.",
  sent: "",
  failed: "Fix the cause, then send it again. `hermes logs` has the details.",
  unknown: "It may have arrived. /resend in that chat sends it again.",
};

/** @throws {UserError} for an unknown platform, or if no home channel is set. */
function destinations(to: string, service: GatewayService): readonly Destination[] {
  const places = to.trim() === "" ? [] : service.destinations(to.trim(), null);
  if (places.length === 0)
    throw usage(`Cannot send to "${to}": no chat platform has a home channel.`, "Name a chat: PLATFORM:CHAT.");
  const unknown = places.find(({ platform }) => !service.platforms().some(({ name }) => name === platform));
  if (unknown === undefined) return places;
  const names = service.platforms().map(({ name }) => name);
  throw usage(
    `There is no chat platform "${unknown.platform}".`,
    names.length === 0 ? "No platform is enabled: hermes setup gateway" : `Platforms: ${names.join(", ")}.`,
  );
}

/** The files of `MEDIA:` tags. @throws {UserError} for one that may not be sent: nothing is sent then. */
async function filesOf(
  text: string,
  service: GatewayService,
): Promise<{ readonly body: string; readonly files: readonly OutgoingFile[] }> {
  const { text: body, files: tagged, asVoice, asDocument } = mediaTags(text);
  const files: OutgoingFile[] = [];
  for (const { path } of tagged) {
    // The user names it, so it need not be in the folder.
    const taken = await service.files.take(path, { cwd: process.cwd(), made: [path], voice: asVoice, asDocument });
    if (!taken.ok) {
      await service.files.release(files);
      throw new UserError(`Cannot send ${path}: ${taken.reason}.`, { hint: "Nothing was sent." });
    }
    files.push(taken.file);
  }
  return { body, files };
}

/** From the argument, `--file`, or stdin. */
async function textOf(
  message: string | undefined,
  { file, subject }: SendOptions,
  note: (text: string) => void,
): Promise<string> {
  if (message !== undefined && file !== undefined) throw usage("A message and --file were given.", "Give one of them.");
  let body: string;
  if (message !== undefined && message !== "-") body = message;
  else if (file !== undefined && file !== "-") body = await readText(file);
  else {
    if (message === undefined && file === undefined && process.stdin.isTTY)
      throw usage("The message is missing.", "Give it as an argument, with --file, or on stdin.");
    const { pipedInput } = await import("../input/piped-input.ts");
    body = (await pipedInput({ waits: true, note })) ?? "";
  }
  if (body.trim() === "") throw usage("The message is empty.", "Nothing was sent.");
  const text = body.replace(/\n+$/, "");
  return subject === undefined ? text : `${subject}\n\n${text}`;
}

async function readText(file: string): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new UserError(`Cannot read ${file}: ${systemReason(cause) ?? cause.message}.`, {
      exitCode: EXIT.usage,
      cause,
    });
  });
  if (bytes.includes(0))
    throw usage(`${file} is not a text file.`, `To send it as a file, write MEDIA:${file} in the message.`);
  return bytes.toString("utf8");
}

async function listTargets({ io, open }: Call, filter: string | undefined, json: boolean): Promise<number> {
  const app: App = await open();
  const service = await app.gateway();
  const homes = service.destinations("all", null);
  const known = new Set(homes.map(targetOf));
  const recent = (await (await service.lanes()).recentChats()).filter((chat) => !known.has(targetOf(chat)));
  const targets = [
    ...homes.map((place) => ({ target: targetOf(place), kind: "home channel", platform: place.platform })),
    ...recent.map((place) => ({ target: targetOf(place), kind: "recent chat", platform: place.platform })),
  ].filter(({ platform }) => filter === undefined || platform === filter.toLowerCase());
  if (json) io.out(`${JSON.stringify(targets, null, 2)}\n`);
  else if (targets.length === 0)
    io.note(
      asTyped(
        "No home channel is set, and no chat has sent a message yet. `hermes setup gateway` connects a platform.\n",
      ),
    );
  else
    io.out(
      tableOn(
        io,
        ["KIND", "TARGET"],
        targets.map(({ kind, target }) => [kind, target]),
      ),
    );
  return EXIT.ok;
}

function targetOf({ platform, chatId, threadId }: Destination): string {
  return [platform, ...(chatId === undefined ? [] : [chatId]), ...(threadId === undefined ? [] : [threadId])].join(":");
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds <= 86_400) return seconds;
  throw usage(`--wait must be a number of seconds from 0 to 86400, not "${text}".`, "The default is 30.");
}

function usage(message: string, hint: string): UserError {
  return new UserError(message, { hint: asTyped(hint), exitCode: EXIT.usage });
}
