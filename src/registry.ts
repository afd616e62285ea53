export * from "./engine/seeds-runtime.ts";
