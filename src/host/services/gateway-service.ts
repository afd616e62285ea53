import { existsSync } from "node:fs";
import type { ChatLanes, GatewayService } from "../../contract/services/gateway-service.ts";
import { UserError } from "../../contract/common/failure.ts";
import { destinationsOf } from "./delivery-targets.ts";
import type { EnvironmentVariables } from "../environment/environment.ts";
import type { Home } from "../environment/home.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { outgoingFiles } from "../media/outgoing-files.ts";
import type { SlotRegistry } from "../tools/slots.ts";
import { systemClock } from "../app/system-clock.ts";

const SEAT = "gateway.lock";

export interface GatewayServicePorts {
  readonly slots: SlotRegistry;
  readonly environment: Pick<EnvironmentVariables, "get">;
  readonly home: Home;
  readonly sessions: Pick<Sessions, "store">;
  readonly mask: (text: string) => string;
  /** The owner's. */
  readonly userHome: string;
}

export function createGatewayService({
  slots,
  environment,
  home,
  sessions,
  mask,
  userHome,
}: GatewayServicePorts): GatewayService {
  let lanes: Promise<ChatLanes> | undefined;
  let seated = false;

  async function open(): Promise<ChatLanes> {
    const [{ openChatLanes }, store] = await Promise.all([import("../store/service/chat-lanes.ts"), sessions.store()]);
    const opened = await openChatLanes(store, () => systemClock.now());
    return {
      ...opened,
      // Keeps the same content of a message as the conversation does.
      receive: (given) => opened.receive({ ...given, message: { ...given.message, text: mask(given.message.text) } }),
      finish: (id, answer) => opened.finish(id, answer && { ...answer, text: mask(answer.text) }),
    };
  }

  const opened = (): Promise<ChatLanes> =>
    (lanes ??= open().catch((cause: unknown) => {
      lanes = undefined;
      throw cause;
    }));

  async function takeSeat(): Promise<Disposable | undefined> {
    // This process holds the gateway lock: opening and closing the lock file again would release it.
    if (seated) return undefined;
    home.folder();
    const lock = (await import("../store/facts/system-lock.ts")).takeSystemLock(home.file(SEAT));
    if (lock === undefined) return undefined;
    seated = true;
    return {
      [Symbol.dispose]() {
        seated = false;
        lock[Symbol.dispose]();
      },
    };
  }

  const service: GatewayService = {
    platforms: () =>
      slots
        .list("platform")
        .map(({ id, label, owner, data, load }) => ({ name: id, label: label ?? id, plugin: owner, data, load })),
    variable: (name) => environment.get(name),
    takeSeat,
    async running() {
      if (!existsSync(home.file(SEAT))) return false;
      const seat = await takeSeat();
      seat?.[Symbol.dispose]();
      return seat === undefined;
    },
    destinations: (target, origin) => destinationsOf(target, origin, service),
    async deliver({ platform, chatId, threadId, key }, text, files) {
      const found = slots.get("platform", platform);
      if (found === undefined)
        throw new UserError(`There is no chat platform "${platform}".`, {
          hint: `Available: ${
            slots
              .list("platform")
              .map(({ id }) => id)
              .join(", ") || "none"
          }.`,
        });
      const variable = found.data["cron_deliver_env_var"];
      const home = typeof variable === "string" && variable !== "" ? environment.get(variable) : undefined;
      const to = chatId ?? home;
      if (to === undefined)
        throw new UserError(`${found.label ?? platform} has no home channel.`, {
          hint:
            typeof variable === "string" && variable !== ""
              ? `Set ${variable} to the chat's id.`
              : "Name one of its chats.",
        });
      await (
        await opened()
      ).finish(undefined, {
        to: { platform: found.id, chatId: to, threadId },
        text,
        files,
        key,
      });
    },
    lanes: opened,
    async apiLedger() {
      const [{ openApiLedger }, store] = await Promise.all([
        import("../store/service/api-ledger.ts"),
        sessions.store(),
      ]);
      return openApiLedger(store, () => systemClock.now());
    },
    files: outgoingFiles({ home: userHome, agentHome: home.path }),
  };
  return service;
}
