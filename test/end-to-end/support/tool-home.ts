import type { App, OpenSession } from "../../../src/contract/services/app.ts";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import type { NewUser } from "./test-user.ts";
import { definedFields } from "../../../src/contract/common/defined-fields.ts";

/** A home with these variables and settings, in which tests call tools through the dispatch pipeline. */
export interface ToolHome extends AsyncDisposable {
  readonly app: App;
  call(tool: string, args: JsonObject): Promise<JsonObject>;
  /** Names of the tools of that toolset that a model would get. */
  offered(toolset: string): Promise<readonly string[]>;
  /** Why the tool is not offered. */
  why(tool: string): Promise<string | undefined>;
}

export async function openToolHome(
  user: NewUser,
  variables: { readonly [name: string]: string },
  settings: string,
  session: Partial<OpenSession> = {},
): Promise<ToolHome> {
  user.write("~/.hermes/config.yaml", settings);
  user.write(
    "~/.hermes/.env",
    Object.entries(variables)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const opened = await app.openSession({ surface: "cli", cwd: user.folder, ...session });
  const listed = () => app.tools.list({ surface: "cli", prompter: true });
  return {
    app,
    async call(tool, args) {
      const outcome = await opened.call(tool, args);
      return outcome.kind === "ok"
        ? (outcome.value as JsonObject)
        : outcome.kind === "failed"
          ? {
              ...outcome.data,
              error: outcome.message,
              code: outcome.code,
              ...definedFields({ hint: outcome.hint }),
            }
          : { kind: outcome.kind };
    },
    offered: async (toolset) =>
      (await listed())
        .filter(
          ({ declaration, enabled, availability }) => declaration.toolset === toolset && enabled && availability.ok,
        )
        .map(({ declaration }) => declaration.name),
    async why(tool) {
      const found = (await listed()).find(({ declaration }) => declaration.name === tool);
      return found === undefined || found.availability.ok ? undefined : found.availability.reason;
    },
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}
