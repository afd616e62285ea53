import type { Terminal } from "hermes-agent/plugin";
import type { Place } from "../access/task-files.ts";
import type { Searcher } from "./search-request.ts";

/** Detected once for each terminal. */
const known = new WeakMap<Terminal, Promise<Searcher>>();

/** ripgrep if the environment has it, else grep and find. */
export function findSearcher(place: Place): Promise<Searcher> {
  let searcher = known.get(place.terminal);
  if (searcher === undefined) {
    searcher = choose(place);
    known.set(place.terminal, searcher);
    searcher.catch(() => known.delete(place.terminal));
  }
  return searcher;
}

async function choose(place: Place): Promise<Searcher> {
  const probe = await place.run(
    "command -v rg >/dev/null 2>&1 && echo rg; printf a | grep -qP a 2>/dev/null && echo perl; true",
    { timeoutMs: 10_000 },
  );
  const has = probe.output.split("\n");
  if (has.includes("rg")) return (await import("./ripgrep.ts")).ripgrep;
  return (await import("./grep-and-find.ts")).grepAndFind({ perl: has.includes("perl") });
}
