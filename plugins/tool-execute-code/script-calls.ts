import { shownOf, textOf, toSettled, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import { parameterNames, type SandboxTool } from "./sandbox-tools.ts";
import { parsed } from "./script-channel.ts";

/** Maximum number of refused calls before the script is stopped. */
const MAX_REFUSED = 1_000;

/**
 * Runs the tool calls of one script through the normal dispatch pipeline and returns the results that a model would
 * get.
 */
export class ScriptCalls {
  readonly tools: readonly SandboxTool[];
  readonly #call: ToolContext;
  readonly #most: number;
  readonly #answer: (line: string) => void;
  readonly #tooMany: () => void;
  readonly #running = new Set<Promise<void>>();
  #refused = 0;
  #over = false;
  /** Number of calls that were dispatched, with any outcome. */
  made = 0;

  /** @param tooMany Called once when the script has made too many refused calls. */
  constructor(
    call: ToolContext,
    tools: readonly SandboxTool[],
    most: number,
    answer: (line: string) => void,
    tooMany: () => void,
  ) {
    this.tools = tools;
    this.#call = call;
    this.#most = most;
    this.#answer = answer;
    this.#tooMany = tooMany;
  }

  take(line: string): void {
    if (this.#over) return;
    const request = parsed(line);
    const id = request?.["id"];
    if (request === undefined || typeof id !== "number") return this.#refuse();
    const tool = this.tools.find(({ name }) => name === request["tool"]);
    const args = request["args"];
    const refusal = this.#refusal(tool, String(request["tool"]), args);
    if (refusal !== undefined) {
      this.#refuse();
      return this.#report(id, JSON.stringify({ error: refusal }));
    }
    this.made += 1;
    const work = this.#call.call(tool!.name, args as JsonObject).then(
      (outcome) => this.#report(id, textOf(shownOf(toSettled(outcome)))),
      (cause: unknown) =>
        this.#report(id, JSON.stringify({ error: cause instanceof Error ? cause.message : String(cause) })),
    );
    this.#running.add(work);
    void work.then(() => this.#running.delete(work));
  }

  /** Ends the script's calls: refuses new ones and waits for the running ones. */
  async end(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#running);
  }

  #refusal(tool: SandboxTool | undefined, name: string, args: unknown): string | undefined {
    if (tool === undefined)
      return `This script cannot call "${name.slice(0, 100)}". ${this.tools.length === 0 ? "This session has no tools for scripts." : `Available tools: ${this.tools.map((one) => one.name).join(", ")}.`}`;
    if (typeof args !== "object" || args === null || Array.isArray(args))
      return `The arguments of ${tool.name} are not an object.`;
    const known = parameterNames(tool);
    const unknown = Object.keys(args).find((one) => !known.includes(one));
    if (unknown !== undefined)
      return `In scripts, ${tool.name} accepts ${known.join(", ")}, not "${unknown.slice(0, 100)}".`;
    if (this.made >= this.#most) return `Tool call limit reached (${this.#most} in one script); the call was not made.`;
    return undefined;
  }

  #refuse(): void {
    this.#refused += 1;
    if (this.#refused === MAX_REFUSED) this.#tooMany();
  }

  #report(id: number, result: string): void {
    if (!this.#over) this.#answer(JSON.stringify({ id, result }));
  }
}
