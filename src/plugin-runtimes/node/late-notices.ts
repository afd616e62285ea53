import { ToolFailure } from "../../contract/common/failure.ts";
import { RecentMap } from "../../contract/common/recent-map.ts";
import type { ToolContext } from "../../contract/tools/tool.ts";
import type { RemotePlugin } from "../process/remote-plugin.ts";

const MOST_CALLS = 256;
/** Of each plugin's latest calls, by the agent's id: a tool may start work that ends after its call. */
const calls = new WeakMap<RemotePlugin, RecentMap<string, ToolContext["notify"]>>();

/** Lets `call.notify` work after the call has ended. */
export function keepNotify(remote: RemotePlugin, { callId, notify }: ToolContext): void {
  const known = calls.get(remote) ?? new RecentMap<string, ToolContext["notify"]>(MOST_CALLS);
  calls.set(remote, known);
  known.set(callId, notify);
}

/** @throws {ToolFailure} `unavailable` if the plugin has made many calls since. */
export async function notifyLater(remote: RemotePlugin, callId: string, text: string): Promise<null> {
  const notify = calls.get(remote)?.get(callId);
  if (notify === undefined)
    throw new ToolFailure("unavailable", "The call that this notice belongs to ended too long ago.", {
      hint: "ctx.inject_message() reaches the open conversation, ctx.chats() a chat.",
    });
  await notify(text);
  return null;
}
