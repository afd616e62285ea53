import type { GuardedSocket } from "../contract/providers/web.ts";
import { DevTools } from "./dev-tools.ts";

/**
 * DevTools over a WebSocket that is open.
 * @param lost The sentence that commands fail with once it is over, made of why it is.
 */
export function overSocket(socket: GuardedSocket, lost: (why: string) => string): DevTools {
  const tools = new DevTools();
  // A message that is refused fails its command alone.
  tools.attach({ send: async (text) => socket.send(text), close: () => socket.close() });
  void listen();
  return tools;

  async function listen(): Promise<void> {
    let why = "it was closed";
    try {
      for await (const message of socket.messages) tools.take(String(message));
    } catch (cause) {
      why = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
    }
    tools.lost(lost(socket.closeReason === undefined ? why : `${why}: ${socket.closeReason}`));
  }
}
