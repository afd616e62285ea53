import { AsyncLocalStorage } from "node:async_hooks";

/** The call of the agent that the running code belongs to. */
export const currentCall = new AsyncLocalStorage<{ readonly plugin: string; readonly id: string }>();
