import { subscript } from "../parse/arithmetic.ts";
import type { Program } from "../evaluate/call.ts";

/** Wraps a builtin that takes names or numbers: the shell evaluates subscripts in them. */
export const evaluating =
  (program: Program): Program =>
  (call) => {
    for (const arg of call.args) subscript(arg, call.state, call.by);
    return program(call);
  };
