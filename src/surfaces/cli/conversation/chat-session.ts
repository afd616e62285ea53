import type { App, OpenSession } from "../../../contract/services/app.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import { DEFAULT_SURFACE } from "../../../contract/conversation/surfaces.ts";
import type { SessionSummary } from "../../../contract/services/session-service.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { truthy } from "../../shared/process/truthy.ts";

/** Flags of `hermes chat`. */
export interface ChatOptions {
  readonly query?: string;
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly model?: string;
  readonly provider?: string;
  readonly toolsets?: string;
  readonly terminal?: string;
  readonly disableToolsets?: string;
  readonly maxTurns?: string;
  readonly continue?: string | true;
  /** `true`: the user picks one. */
  readonly resume?: string | true;
  readonly yolo?: boolean;
  readonly ignoreRules?: boolean;
  /** `--tui`: full screen. `--no-tui`: the terminal's scrollback. Absent: `display.interface` decides. */
  readonly tui?: boolean;
  readonly source: string;
}

/** Opens the session that the flags select: a new one, the latest, or a named one. */
export async function openChatSession(
  app: App,
  options: ChatOptions,
  prompter: OpenSession["prompter"],
  how: Pick<OpenSession, "attended"> = {},
): Promise<Session> {
  return app.openSession({ ...openingOf(options, prompter), ...how, sessionId: await sessionOf(app, options) });
}

/** The options that the flags set for every session of this run. */
export function openingOf(options: ChatOptions, prompter: OpenSession["prompter"]): OpenSession {
  const maxTurns = options.maxTurns === undefined ? undefined : Number(options.maxTurns);
  if (maxTurns !== undefined && !(Number.isInteger(maxTurns) && maxTurns > 0))
    throw new UserError(`--max-turns must be a whole number above 0, not "${options.maxTurns}".`, {
      exitCode: EXIT.usage,
    });
  return {
    surface: options.source,
    prompter,
    cwd: process.cwd(),
    toolsets: { enabled: names(options.toolsets), disabled: names(options.disableToolsets) },
    maxTurns,
    yolo: options.yolo ?? truthy(process.env.HERMES_YOLO_MODE),
    ignoreRules: options.ignoreRules ?? truthy(process.env.HERMES_IGNORE_RULES),
    model: { name: options.model, provider: options.provider },
  };
}

async function sessionOf(app: App, options: ChatOptions): Promise<string | undefined> {
  if (typeof options.resume === "string") return (await app.sessions.find(options.resume)).id;
  if (typeof options.continue === "string") return (await app.sessions.find(options.continue)).id;
  if (options.continue !== true) return undefined;
  const latest = await latestOf(app, options.source);
  if (latest === undefined)
    throw new UserError("There is no session to resume yet.", {
      hint: 'Start one with `hermes` or `hermes chat -q "…"`.',
    });
  return latest.id;
}

/** Chats of the dashboard are conversations at this machine, too. */
async function latestOf(app: App, source: string): Promise<SessionSummary | undefined> {
  const surfaces = source === DEFAULT_SURFACE ? [source, "dashboard"] : [source];
  const found = await Promise.all(surfaces.map((surface) => app.sessions.latest(surface)));
  return found.filter((one) => one !== undefined).toSorted((one, other) => other.lastAt - one.lastAt)[0];
}

function names(list: string | undefined): readonly string[] | undefined {
  return list
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
