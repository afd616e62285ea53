import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { lookNow } from "../looks.ts";
import { noticeBox, type Page } from "../parts-of-page.ts";
import { language } from "../text.ts";

/** A plugin's addition to the dashboard, from the server. */
export interface PluginPart {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly problems: readonly string[];
  readonly page?: string;
  readonly position?: string;
  readonly theme?: { readonly label: string; readonly css: string };
}

/** Maximum frame height in pixels. */
const MAX_HIGH = 20_000;

/** A plugin's page in a sandboxed frame; commands from it run here if its manifest lists them. */
export function pluginPage({ key, label, problems, page }: PluginPart): Page {
  return ({ main, signal }) => {
    const { look, theme } = lookNow();
    const dark = look === "dark" || (look === "" && matchMedia("(prefers-color-scheme: dark)").matches);
    const query = new URLSearchParams({
      language: language(),
      ...(theme === undefined ? { look: dark ? "dark" : "light" } : { theme: theme.key }),
    });
    const frame = element("iframe", { src: `${page}?${query}`, title: label, sandbox: "allow-scripts" });
    fill(
      main,
      problems.map((problem) => noticeBox("warn", problem)),
      frame,
    );
    addEventListener(
      "message",
      (event: MessageEvent) => {
        if (event.source !== frame.contentWindow) return;
        const { id, command, args, height } = event.data as {
          readonly id?: unknown;
          readonly command?: unknown;
          readonly args?: unknown;
          readonly height?: unknown;
        };
        if (typeof height === "number")
          return void (frame.style.height = `${Math.min(Math.max(Math.ceil(height), 80), MAX_HIGH)}px`);
        // The frame has no origin to name as target; the message contains only the output of its command.
        const reply = (answer: object): void => frame.contentWindow?.postMessage({ id, ...answer }, "*");
        ask<{ readonly ok: boolean; readonly text: string }>("POST", `/api/parts/${encodeURIComponent(key)}/run`, {
          command: String(command),
          args: String(args ?? ""),
        }).then(reply, (error: Error) => reply({ ok: false, text: error.message }));
      },
      { signal },
    );
  };
}
