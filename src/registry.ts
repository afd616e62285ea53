export * from "./host/seeds/seeds-runtime.ts";
