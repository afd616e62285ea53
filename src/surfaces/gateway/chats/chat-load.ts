import { UserError } from "../../../contract/common/failure.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import type { PlatformLine } from "../platforms/platform-connection.ts";
import { FairSlots, type Slot } from "./fair-slots.ts";

/** Turns at once on a platform where users read along, and on one without. */
const ATTENDED_TURNS = 100;
const UNATTENDED_TURNS = 10;
/** Accepted messages that wait, on a platform without users. */
const MAX_OPEN = 10_000;
const MAX_OPEN_PER_USER = 1_000;

/** The load on the chats of one gateway: who may start a turn, and who may send more. */
export class ChatLoad {
  readonly #slots = new Map<string, FairSlots>();
  /** Open chats of platforms without users, which each serve one message: by platform, the user of each key. */
  readonly #open = new Map<string, Map<string, string>>();

  /** Resolves when a turn for this message may start; `undefined`: the signal was aborted first. */
  slot(line: PlatformLine, message: PlatformMessage, signal: AbortSignal): Promise<Slot | undefined> {
    const { name, settings } = line.plan;
    const given = Number(settings.extra["max_running_turns"]);
    const usual = line.platform?.unattended === true ? UNATTENDED_TURNS : ATTENDED_TURNS;
    const slots = this.#slots.get(name) ?? new FairSlots(Number.isInteger(given) && given > 0 ? given : usual);
    this.#slots.set(name, slots);
    return slots.take(userOf(message), signal);
  }

  /**
   * Notes that a chat of a platform without users opens.
   * @throws {Overload} if too many of them, or of this user, are open: the message was not accepted.
   */
  opens(line: PlatformLine, key: string, message: PlatformMessage): void {
    if (line.platform?.unattended !== true) return;
    const open = this.#open.get(line.plan.name) ?? new Map<string, string>();
    this.#open.set(line.plan.name, open);
    if (open.has(key)) return;
    const user = userOf(message);
    const given = Number(line.plan.settings.extra["max_waiting_per_sender"]);
    const most = Number.isInteger(given) && given > 0 ? given : MAX_OPEN_PER_USER;
    const own = open.size < most ? 0 : [...open.values()].filter((one) => one === user).length;
    if (open.size >= MAX_OPEN || own >= most)
      throw new Overload(`Too many messages of ${line.plan.label} wait for an answer.`);
    open.set(key, user);
  }

  ended(line: PlatformLine, key: string): void {
    this.#open.get(line.plan.name)?.delete(key);
  }
}

/** The gateway accepts no more messages for now. Webhooks answer 429. */
export class Overload extends UserError {
  readonly status = 429;
}

function userOf({ user_id, user_id_alt, chat_id }: PlatformMessage): string {
  return user_id_alt || user_id || chat_id;
}
