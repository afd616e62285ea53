import { memoryStore } from "./memory-store.ts";
import { storeContract } from "./store-contract.ts";

storeContract("memory", async () => {
  const store = memoryStore();
  return {
    open: async () => store,
    expire: async (sessionId) => store.steal(sessionId),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
});
