import { platformContract } from "hermes-agent/testing";
import { startChatServer } from "./chat-server.ts";
import { loopbackChat } from "./index.ts";

platformContract("loopback chat", async () => {
  const server = await startChatServer();
  return {
    ...server,
    platform: loopbackChat((name) => (name === "LOOPBACK_CHAT_PORT" ? String(server.port) : undefined)),
  };
});
