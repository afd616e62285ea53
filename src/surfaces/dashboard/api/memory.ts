import { UserError } from "../../../contract/common/failure.ts";
import { memoryState } from "../../shared/gateway/memory-state.ts";
import { runMemoryCommand } from "../../shared/memory/run-memory-command.ts";
import { route, textIn, type Asked, type Route } from "../route.ts";

const VERBS = ["edit", "remove", "revert", "approve", "reject"] as const;

/** The agent's notes: the work of `hermes memory`. */
export const MEMORY_ROUTES: readonly Route[] = [
  route("GET /api/memory", async (asked) => {
    const read = async (verb: string): Promise<object> => JSON.parse(await run(asked, verb, ["--json"])) as object;
    const [list, log, pending, provider] = await Promise.all([
      read("list"),
      read("log"),
      read("pending"),
      memoryState(asked.app, "look"),
    ]);
    return { ...list, ...log, ...pending, provider };
  }),
  route("POST /api/memory/:verb", async (asked) => {
    const {
      params: [word],
      body,
    } = asked;
    const verb = VERBS.find((one) => one === word);
    if (verb === undefined)
      throw new UserError(`Unknown memory action "${word}".`, { hint: `Use one of: ${VERBS.join(", ")}.` });
    const id = textIn(body, "id");
    if (!/^[\w-]+$/.test(id)) throw new UserError(`"${id}" is not an id of the notes.`);
    return { text: await run(asked, verb, verb === "edit" ? [id, textIn(body, "text")] : [id]) };
  }),
];

function run({ app, signal }: Asked, verb: string, words: readonly string[]): Promise<string> {
  return runMemoryCommand(app, verb, words, { surface: "dashboard", signal });
}
