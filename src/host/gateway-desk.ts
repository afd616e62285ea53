import type { ChatLanes, GatewayDesk } from "../contract/gateway-desk.ts";
import { UserError } from "../contract/failure.ts";
import type { EnvironmentDesk } from "./environment.ts";
import type { Home } from "./home.ts";
import type { Sessions } from "./sessions.ts";
import type { SlotDesk } from "./slots.ts";
import { systemClock } from "./system-clock.ts";

export interface GatewayDeskPorts {
  readonly slots: SlotDesk;
  readonly environment: Pick<EnvironmentDesk, "get">;
  readonly home: Home;
  readonly sessions: Pick<Sessions, "store">;
  readonly mask: (text: string) => string;
}

export function createGatewayDesk({ slots, environment, home, sessions, mask }: GatewayDeskPorts): GatewayDesk {
  let lanes: Promise<ChatLanes> | undefined;

  async function open(): Promise<ChatLanes> {
    const [{ openChatLanes }, store] = await Promise.all([import("./store/chat-lanes.ts"), sessions.store()]);
    const opened = await openChatLanes(store, () => systemClock.now());
    return {
      ...opened,
      // What is kept of a message is what the conversation keeps of it.
      receive: (given) => opened.receive({ ...given, message: { ...given.message, text: mask(given.message.text) } }),
      finish: (id, answer) => opened.finish(id, answer && { ...answer, text: mask(answer.text) }),
    };
  }

  const opened = (): Promise<ChatLanes> =>
    (lanes ??= open().catch((cause: unknown) => {
      lanes = undefined;
      throw cause;
    }));

  return {
    platforms: () => slots.list("platform").map(({ id, label, owner, data, load }) => ({ name: id, label: label ?? id, plugin: owner, data, load })),
    variable: (name) => environment.get(name),
    async takeSeat() {
      home.folder();
      return (await import("./store/system-lock.ts")).takeSystemLock(home.file("gateway.lock"));
    },
    async deliver({ platform, chatId, threadId, key }, text) {
      const found = slots.get("platform", platform);
      if (found === undefined) throw new UserError(`There is no chat platform "${platform}".`, { hint: `There is: ${slots.list("platform").map(({ id }) => id).join(", ") || "none"}.` });
      const variable = found.data["cron_deliver_env_var"];
      const home = typeof variable === "string" && variable !== "" ? environment.get(variable) : undefined;
      const to = chatId ?? home;
      if (to === undefined) throw new UserError(`${found.label ?? platform} has no home channel.`, { hint: typeof variable === "string" && variable !== "" ? `Set ${variable} to the chat's id.` : "Name a chat of it." });
      await (await opened()).finish(undefined, { to: { platform: found.id, chatId: to, ...(threadId === undefined ? {} : { threadId }) }, text, key });
    },
    lanes: opened,
  };
}
