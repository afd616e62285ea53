import type { PluginUser } from "../../../shared/plugins/plugin-user.ts";
import type { Io } from "../../../shared/process/io.ts";

/** The user at this terminal. Without a terminal, no one can be asked. */
export function userAt(io: Io): PluginUser {
  return {
    out: io.out,
    note: io.note,
    columns: io.columns,
    signal: io.signal,
    openAsker: io.interactive ? openAsker : undefined,
  };
}

async function openAsker(): ReturnType<NonNullable<PluginUser["openAsker"]>> {
  const asker = await (await import("../../input/ask-lines.ts")).openLineAsker();
  return {
    get ended() {
      return asker.ended;
    },
    confirm: async (question) => /^y(es)?$/i.test(await asker.ask(`${question} [y/N] `)),
    ask: (question) => asker.ask(question),
    askHidden: (question) => asker.askHidden(question),
    [Symbol.dispose]: () => asker[Symbol.dispose](),
  };
}
