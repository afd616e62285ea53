import type { Function as FunctionNode } from "unbash";
import { type Flow, UNSEEN } from "../risk/effect.ts";
import { forgetAll, merge, type ShellState } from "../parse/state.ts";
import type { Walker } from "./walker.ts";

/** Nested functions. */
const MAX_RUNNING = 24;
/** Recursive calls of a function in the whole text whose arguments do not get fewer. */
const MAX_AGAIN = 8;

/**
 * Runs a function's body. A function that calls itself is followed as long as its words become fewer, a few times
 * otherwise, and then once more with nothing known of its words and variables, which stands for all further rounds.
 */
export function callFunction(
  body: FunctionNode,
  args: readonly string[] | undefined,
  state: ShellState,
  stdin: Flow,
  walk: Walker,
): Flow {
  walk.called.add(body);
  const name = body.name.value;
  const own = walk.running.filter((entry) => entry.name === name);
  const [outer] = own;
  if (outer && (walk.background > outer.background || outer.started < walk.started)) {
    walk.add({ kind: "fork bomb" });
    return UNSEEN;
  }
  if (walk.running.length >= MAX_RUNNING) return tooMany(args ?? [], state, stdin, walk);
  const fewer = args !== undefined && args.length < (own.at(-1)?.args?.length ?? 0);
  const widened = outer !== undefined && !fewer && ++walk.again > MAX_AGAIN;
  if (!widened) return runBody(body, args, false, state, stdin, walk);
  // Judged already, with anything in the place of its words.
  if (own.some((entry) => entry.widened)) return UNSEEN;
  forgetAll(state);
  return runBody(body, undefined, true, state, stdin, walk);
}

function runBody(
  body: FunctionNode,
  args: readonly string[] | undefined,
  widened: boolean,
  state: ShellState,
  stdin: Flow,
  walk: Walker,
): Flow {
  walk.running.push({ name: body.name.value, background: walk.background, started: walk.started, args, widened });
  const { positional, locals } = state;
  // Not called yet, so its arguments are unknown.
  state.positional = args;
  state.locals = new Map();
  const left = walk.exits.length;
  const flow = walk.node(body.body, state, stdin);
  for (const exit of walk.exits.splice(left)) if (exit.by === "return") merge(state, exit.state);
  for (const [name, value] of state.locals) {
    if (value === undefined) state.variables.delete(name);
    else state.variables.set(name, value);
  }
  Object.assign(state, { positional, locals });
  walk.running.pop();
  return flow;
}

/** Too deep to follow: still check the command behind the functions' names. */
function tooMany(args: readonly string[], state: ShellState, stdin: Flow, walk: Walker): Flow {
  walk.harm("too-deep", `more than ${MAX_RUNNING} nested functions`);
  const rest = args.slice(args.findIndex((word) => !state.functions.has(word)));
  return rest.length > 0 && !state.functions.has(rest[0]!)
    ? walk.run(rest, { program: rest[0]!, args: rest.slice(1), stdin, state, by: walk })
    : UNSEEN;
}
