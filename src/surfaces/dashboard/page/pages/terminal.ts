import type * as Xterm from "@xterm/xterm";
import { ask, follow } from "../ask.ts";
import { element, fill } from "../element.ts";
import { noticeBox, errorText, type Page } from "../parts-of-page.ts";
import { say } from "../text.ts";

type Report = { readonly id?: string; readonly output?: string; readonly ended?: number | null };

/** The terminal interface in the page. It ends when the user leaves the page; its session stays stored. */
export const terminalPage: Page = async ({ main, signal }) => {
  const [notes, screen] = [element("div"), element("div", { id: "terminal" })];
  fill(main, notes, element("p", { class: "quiet small" }, say("{} leaves the terminal.", LEAVE)), screen);
  if (document.querySelector("#xterm") === null)
    document.head.append(element("link", { id: "xterm", rel: "stylesheet", href: "/page/xterm.css" }));
  const library = "/page/xterm.mjs";
  const { Terminal } = (await import(library)) as typeof Xterm;
  const terminal = new Terminal({
    fontSize: 14,
    lineHeight: 1.15,
    cursorBlink: true,
    scrollback: 5_000,
    theme: { background: "#16171c" },
  });
  terminal.open(screen);
  // A terminal takes every key, so one has to lead out of it.
  terminal.attachCustomKeyEventHandler(({ type, key }) => {
    if (key !== LEAVE) return true;
    if (type === "keydown") document.querySelector<HTMLElement>("nav a[aria-current]")?.focus();
    return false;
  });
  fit();
  signal.addEventListener("abort", () => terminal.dispose(), { once: true });
  let path: string | undefined;
  // Send keys one request at a time, to keep their order.
  let sent: Promise<unknown> = Promise.resolve();
  const report = (about: string, body: object): void => {
    if (path !== undefined) sent = sent.then(() => ask("POST", `${path}/${about}`, body)).catch(() => {}); // The session has ended; the code below says so.
  };
  terminal.onData((text) => report("input", { text }));
  terminal.onResize(({ rows, cols }) => report("size", { rows, columns: cols }));
  const watching = new ResizeObserver(fit);
  watching.observe(screen);
  signal.addEventListener("abort", () => watching.disconnect(), { once: true });
  terminal.focus();
  void talk();

  async function talk(): Promise<void> {
    try {
      let failed = false;
      for await (const { id, output, ended } of follow<Report>(
        `/api/chat?rows=${terminal.rows}&columns=${terminal.cols}`,
        signal,
      )) {
        if (id !== undefined) path = `/api/chat/${id}`;
        if (output !== undefined) terminal.write(output);
        if (ended !== undefined) {
          path = undefined;
          failed = ended !== 0;
        }
      }
      // The terminal shows the error already.
      if (!signal.aborted && !failed)
        fill(
          notes,
          noticeBox(
            "good",
            say("The session has ended. You find it under Sessions."),
            say("Reload this page to start a new one."),
          ),
        );
    } catch (error) {
      if (!signal.aborted) fill(notes, errorText(error));
    }
  }

  /** Fits rows and columns to the available space. */
  function fit(): void {
    const drawn = screen.querySelector(".xterm-screen")?.getBoundingClientRect();
    if (drawn === undefined || drawn.width === 0) return;
    const { paddingLeft, paddingTop } = getComputedStyle(screen);
    const columns = Math.floor(
      (screen.clientWidth - 2 * Number.parseFloat(paddingLeft) - SCROLL_BAR) / (drawn.width / terminal.cols),
    );
    const rows = Math.floor((screen.clientHeight - 2 * Number.parseFloat(paddingTop)) / (drawn.height / terminal.rows));
    if (columns > 1 && rows > 1) terminal.resize(columns, rows);
  }
};

/** In browsers and desktops this key moves between the parts of a window. */
const LEAVE = "F6";
/** Width of the scroll bar in pixels. */
const SCROLL_BAR = 14;
