import { AsyncLocalStorage } from "node:async_hooks";

/** The agent's call that the running code belongs to. */
export const currentCall = new AsyncLocalStorage<{ readonly plugin: string; readonly id: string }>();
