import type { App } from "../../contract/services/app.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { Session } from "../../contract/conversation/session.ts";
import { runSlashCommand } from "../shared/commands/run-slash-command.ts";
import { fileIn, pageFile, type PageFile } from "./page-files.ts";
import { isInside, readParts, type Part } from "./parts.ts";
import { route, textIn, type Route } from "./route.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/**
 * Pages and themes of plugins. A plugin's page runs in a sandboxed frame: it has no token, can load only its own files,
 * and can run only the slash commands that its manifest lists, through the page around it.
 */
export class PluginParts implements AsyncDisposable {
  readonly #app: App;
  /** Base path of their files. A sandboxed frame sends no token, so this path is secret. */
  readonly #base: string;
  readonly #signal: AbortSignal;
  /** The parts that the page loaded last. */
  #parts: Promise<readonly Part[]> | undefined;
  #session: Promise<Session> | undefined;

  constructor(app: App, base: string, signal: AbortSignal) {
    this.#app = app;
    this.#base = base;
    this.#signal = signal;
  }

  get routes(): readonly Route[] {
    return [
      // Another process may have enabled or disabled a plugin.
      route("GET /api/parts", async ({ app }) => {
        await app.plugins.reload();
        return (await (this.#parts = readParts(app))).map((part) => this.#shown(part));
      }),
      route("POST /api/parts/:key/run", ({ params: [key = ""], body }) =>
        this.#run(key, textIn(body, "command"), textIn(body, "args")),
      ),
    ];
  }

  /** A file below the base path; `look` and `theme` in the query select the frame's theme. */
  async file(path: string, query: URLSearchParams): Promise<PageFile | undefined> {
    const [word = "", ...rest] = path.split("/");
    const inside = rest.join("/");
    if (word === "_") return inside === "style.css" || inside === "frame.js" ? pageFile(inside) : undefined;
    const parts = await (this.#parts ??= readParts(this.#app));
    const part = parts.find(({ key }) => encodeURIComponent(key) === word);
    if (part === undefined) return undefined;
    if (inside !== "") return isInside(inside) ? fileIn(part.folder, inside) : undefined;
    const theme = parts.find(({ key }) => key === query.get("theme"));
    return part.page === undefined
      ? undefined
      : { type: "text/html; charset=utf-8", content: this.#frame(part, part.page, theme, query.get("look")) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#session?.catch(() => undefined))?.[Symbol.asyncDispose]();
  }

  #shown({ key, label, description, page, theme, problems }: Part): object {
    const base = `${this.#base}${encodeURIComponent(key)}/`;
    return definedFields({
      key,
      label,
      description,
      problems,
      page: page === undefined ? undefined : base,
      position: page?.position,
      theme: theme === undefined ? undefined : { label: theme.label, css: `${base}${theme.css}` },
    });
  }

  #frame(
    { key, label }: Part,
    { entry, css }: NonNullable<Part["page"]>,
    theme: Part | undefined,
    look: string | null,
  ): string {
    const own = `${this.#base}${encodeURIComponent(key)}/`;
    const sheets = [
      `${this.#base}_/style.css`,
      ...(theme?.theme === undefined ? [] : [`${this.#base}${encodeURIComponent(theme.key)}/${theme.theme.css}`]),
      ...(css === undefined ? [] : [`${own}${css}`]),
    ];
    return `<!doctype html>
<html${look === "dark" || look === "light" ? ` data-look="${look}"` : ""}>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(label)}</title>
${sheets.map((href) => `<link rel="stylesheet" href="${href}">`).join("\n")}
</head>
<body class="frame"><main id="place" data-entry="${own}${entry}"></main><script type="module" src="${this.#base}_/frame.js"></script></body>
</html>
`;
  }

  /** Runs a command like every slash command: with its hooks, in the plugin's runtime. No one can approve anything. */
  async #run(key: string, command: string, args: string): Promise<object> {
    const app = this.#app;
    const part = (await readParts(app)).find((one) => one.key === key);
    if (part === undefined) throw new UserError(`No running plugin "${key}" has a dashboard part.`);
    if (!part.api.includes(command))
      throw new UserError(`The page of "${key}" may not run the command "${command}".`, {
        hint:
          part.api.length === 0
            ? 'Its manifest lists no commands in "api".'
            : `Its manifest lists in "api": ${part.api.join(", ")}.`,
      });
    const opening = (this.#session ??= app.openSession({ surface: "dashboard", cwd: process.cwd() }));
    const session = await opening.catch((error: unknown) => {
      this.#session = undefined;
      throw error;
    });
    return runSlashCommand(`/${command} ${args}`, {
      app,
      surface: "dashboard",
      signal: this.#signal,
      session: () => session,
    });
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
