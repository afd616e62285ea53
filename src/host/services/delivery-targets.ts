import type { ChatAddress, Destination, GatewayService } from "../../contract/services/gateway-service.ts";
import type { Job } from "../../contract/services/job.ts";

/** Resolves one target of `deliver`: `origin`, `all`, `PLATFORM`, `PLATFORM:CHAT[:THREAD]`. Empty: unknown target. */
export function destinationsOf(
  target: string,
  origin: Job["origin"],
  service: Pick<GatewayService, "platforms" | "variable">,
): readonly Destination[] {
  const word = target.toLowerCase();
  if (word === "all") return homes(service);
  if (word === "origin") return origin === null ? homes(service).slice(0, 1) : [chatOf(origin)];
  const [, name = "", chat] = /^([^:]+)(?::(.+))?$/.exec(target) ?? [];
  const platform = service.platforms().find((one) => one.name.toLowerCase() === name.toLowerCase())?.name ?? name;
  if (chat !== undefined) return [{ platform, ...splitChat(chat) }];
  if (origin !== null && origin.platform === platform) return [chatOf(origin)];
  return [atHome(platform, service)];
}

function homes(service: Pick<GatewayService, "platforms" | "variable">): readonly Destination[] {
  return service.platforms().flatMap(({ name, data }) => {
    const variable = data["cron_deliver_env_var"];
    return typeof variable === "string" && variable !== "" && service.variable(variable) !== undefined
      ? [atHome(name, service)]
      : [];
  });
}

/** The home channel may be a thread of one. */
function atHome(platform: string, service: Pick<GatewayService, "platforms" | "variable">): Destination {
  const variable = service.platforms().find(({ name }) => name === platform)?.data["cron_deliver_env_var"];
  const chatId = typeof variable === "string" && variable !== "" ? service.variable(variable) : undefined;
  const threadId = chatId === undefined ? undefined : service.variable(`${String(variable)}_THREAD_ID`);
  return { platform, chatId, threadId };
}

function chatOf({ platform, chat_id, thread_id }: NonNullable<Job["origin"]>): Destination {
  return {
    platform,
    chatId: chat_id,
    threadId: thread_id ?? undefined,
  };
}

/** Names in some networks contain a colon: `!room:server`. */
function splitChat(chat: string): Omit<ChatAddress, "platform"> {
  const [, chatId, threadId] = /^[!#@]/.test(chat) ? [] : (/^([^:]+):(.+)$/.exec(chat) ?? []);
  return chatId === undefined || threadId === undefined ? { chatId: chat } : { chatId, threadId };
}
