import type { Grammar } from "./core.d.ts";

declare const grammar: Grammar;
export default grammar;
