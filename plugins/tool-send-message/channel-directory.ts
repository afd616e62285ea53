import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject, type ChatAddress } from "hermes-agent/plugin";

/** A chat that a platform lists, with its name there. */
export interface ListedChat extends ChatAddress {
  readonly name: string;
}

const MOST = 200;
const LONGEST_NAME = 60;

/** The chats of `channel_directory.json`, which the gateway writes; at most 200. Names are cleaned to one short line. */
export async function directoryIn(home: string): Promise<readonly ListedChat[]> {
  let directory: unknown;
  try {
    directory = JSON.parse(await readFile(join(home, "channel_directory.json"), "utf8"));
  } catch {
    return []; // No platform has listed its chats yet.
  }
  const platforms = isObject(directory) && isObject(directory["platforms"]) ? directory["platforms"] : {};
  return Object.entries(platforms)
    .flatMap(([platform, chats]) =>
      (Array.isArray(chats) ? (chats as readonly unknown[]) : []).flatMap((chat): readonly ListedChat[] => {
        if (!isObject(chat) || typeof chat["id"] !== "string") return [];
        const threadId = typeof chat["thread_id"] === "string" ? chat["thread_id"] : undefined;
        const name = String(chat["name"] ?? "")
          .replaceAll(/[\p{Cc}()]+/gu, " ")
          .trim()
          .slice(0, LONGEST_NAME);
        return [{ platform, chatId: chat["id"], threadId, name: name === "" ? chat["id"] : name }];
      }),
    )
    .slice(0, MOST);
}
