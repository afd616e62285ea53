/** Everything a command is judged with, loaded as one. */
export * as bash from "unbash";
export { judgeEffect } from "../risk/judge.ts";
export { PartMissing } from "./part-missing.ts";
export * as programs from "../programs/program-tables.ts";
export { Walk } from "./walk.ts";
