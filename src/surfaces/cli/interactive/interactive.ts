import { join } from "node:path";
import { matchesKey } from "@earendil-works/pi-tui";
import type { App } from "../../../contract/services/app.ts";
import type { Notice } from "../../../contract/common/notice.ts";
import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import { isSlashCommand } from "../../shared/commands/run-slash-command.ts";
import { RunningCommands } from "../../shared/commands/running-commands.ts";
import type { BusyMode, SlashHost } from "../../shared/commands/slash-host.ts";
import { busyModeOf } from "../../shared/conversation/busy-mode.ts";
import { liveDisplay } from "../../shared/display/live-display.ts";
import { Skins } from "../../shared/display/skins.ts";
import { openChatSession, openingOf, type ChatOptions } from "../conversation/chat-session.ts";
import { noticesSince, rereadNotices } from "../../shared/process/notices.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { observeStreams, type Io } from "../../shared/process/io.ts";
import { banner } from "./view/banner.ts";
import { completionsOf } from "./prompt/completions.ts";
import { dialogPrompter } from "./prompt/dialog-prompter.ts";
import { FrontSession } from "../conversation/front-session.ts";
import { openHistory } from "./prompt/history-file.ts";
import { takeScreen } from "../input/screen-lock.ts";
import { Screen } from "./screen.ts";
import { defaultLayout, type ScreenLayout } from "./screen-layout.ts";
import { themeOf } from "./view/theme.ts";
import { asTyped } from "../../shared/process/called-as.ts";
import { onHangup } from "../../shared/process/on-hangup.ts";

const ESCAPE = "\x1b";

/** The keys, for `/help`. */
const KEYS = [
  ["Enter", "Send; Alt-Enter, Ctrl-J or \\ before Enter starts a new line"],
  ["Esc", "Stop the running turn or command, or deny the request"],
  ["Ctrl-C", "Like Esc; also clears the line; twice exits"],
  ["Ctrl-D", "Exit"],
  ["Up, Down", "Browse the input history, including earlier sessions"],
  ["Tab", "Complete a command or path; Enter sends the typed text, or the choice made with the arrows"],
  ["Ctrl-L", "Repaint the screen"],
] as const;

/** Options of a caller that embeds the session. */
interface Embedding {
  /** Arranges the parts of the screen. */
  readonly layout?: ScreenLayout;
  /** Receives a listener for messages outside the conversation. */
  readonly news?: (listener: (text: string, ok: boolean) => void) => void;
}

/**
 * The interactive session: an editor at the bottom, the conversation above it, in the terminal's scrollback or on a
 * full screen.
 */
export async function interactive(
  app: App,
  io: Io,
  options: ChatOptions,
  notices: readonly Notice[],
  { layout = defaultLayout, news }: Embedding = {},
): Promise<number> {
  const shownAs = liveDisplay(app);
  const skins = new Skins(app);
  await skins.readFor(shownAs.get().skin);
  const theme = themeOf(io, () => skins.named(shownAs.get().skin)?.colors ?? {});
  const ended = Promise.withResolvers<number>();
  const commands = new RunningCommands();
  let busyMode = busyModeOf(app);
  let endsOnInterrupt = false;
  /** The user moved to a completion with the arrows: Enter accepts it. */
  let choosing = false;
  const fullScreen = options.tui ?? app.config.get("display.interface") === "tui";
  using screen = new Screen(theme, {
    fullScreen,
    layout,
    logFolder: join(app.home, "logs"),
    toolOf: (name) => app.tools.get(name),
    keys: keysNow,
    display: shownAs.get,
  });
  const { tui, conversation, editor, waiting, footer } = screen;
  const prompter = dialogPrompter(screen, theme);
  const first = await openChatSession(app, options, prompter, { attended: true });
  await using front = new FrontSession(app, openingOf(options, prompter), first, onEvent);
  const [head, history, model] = await Promise.all([
    banner(app, theme, first.cwd),
    openHistory(app.home),
    app.models.current(),
  ]);

  screen.title(head);
  for (const line of history.lines) editor.addToHistory(line);
  editor.setAutocompleteProvider(completionsOf(host()));
  editor.onSubmit = (text) => void submit(text).catch(fail);
  let known = [...notices, ...noticesSince(app, notices)];
  for (const notice of known) reportNotice(notice);
  conversation.replay(first.view());
  footer.open(first, model.model);
  news?.((text, ok) => note(text, ok ? theme.dim : theme.warn));
  tui.addInputListener(onKey);
  process.on("SIGTERM", onTerminate);
  using _hangup = onHangup(onTerminate);
  observeStreams();
  const taken = takeScreen(() => tui.stop());
  tui.start();
  void resumeTurn().catch(fail);

  try {
    return await ended.promise;
  } finally {
    process.off("SIGTERM", onTerminate);
    taken[Symbol.dispose]();
    if (front.session.view().entries.length > 0)
      io.note(`${io.style("dim", asTyped(`hermes --resume ${front.session.id}`))}\n`);
  }

  function onEvent(event: AgentEvent): void {
    conversation.onEvent(event);
    if (event.kind === "fact") {
      waiting.onFact(event.recorded.fact);
      footer.onFact(event.recorded.fact);
      if (event.recorded.fact.type === "turn.ended" && shownAs.get().bell) screen.ring();
    }
    tui.requestRender();
  }

  /** Resumes a turn that a crash or a closed terminal interrupted. */
  async function resumeTurn(): Promise<void> {
    for (const line of front.session.interrupted()) note(line, theme.warn);
    await front.session.resume();
    tui.requestRender();
  }

  async function submit(raw: string): Promise<void> {
    const text = raw.trim();
    if (text === "") return;
    screen.toEnd();
    editor.addToHistory(text);
    history.add(text).catch((error: unknown) => app.log.warning("Cannot write the input history", { cause: error }));
    if (isSlashCommand(text)) {
      using _ = screen.move();
      const { ok, text: shown } = await commands.run(text, host());
      if (shown !== "") note(`› ${text}`, theme.dim);
      if (shown !== "") note(shown, ok ? (line) => line : theme.warn);
      return;
    }
    await reread();
    await front.refresh();
    const images = screen.images.take();
    await front.session.send(images.length === 0 ? text : [{ type: "text", text }, ...images], {
      mode: front.session.busy ? busyMode : "queue",
    });
    tui.requestRender();
  }

  function onKey(data: string): { readonly consume: boolean } | undefined {
    screen.keyPressed();
    if (matchesKey(data, "ctrl+c")) return (onInterrupt(), { consume: true });
    endsOnInterrupt = false;
    if (matchesKey(data, "ctrl+d") && (editor.getText() === "" || screen.dialog !== undefined))
      return (ended.resolve(EXIT.ok), { consume: true });
    if (matchesKey(data, "ctrl+l")) return (tui.requestRender(true), { consume: true });
    if (matchesKey(data, "enter") && !choosing && editor.isShowingAutocomplete() && editor.getText().startsWith("/"))
      editor.handleInput(ESCAPE);
    choosing = editor.isShowingAutocomplete() && (matchesKey(data, "up") || matchesKey(data, "down"));
    if (
      matchesKey(data, "escape") &&
      (front.session.busy || commands.any) &&
      screen.dialog === undefined &&
      !editor.isShowingAutocomplete()
    )
      return (stop(), { consume: true });
    return undefined;
  }

  /** Stops a running turn or command, else clears the line, else exits on the second press. */
  function onInterrupt(): void {
    const hadText = editor.getText() !== "";
    if (front.session.busy) stop();
    else if (screen.dialog !== undefined) screen.dialog.focus.handleInput?.(ESCAPE);
    else if (commands.any && commands.stop()) return;
    else if (hadText) editor.setText("");
    else if (endsOnInterrupt) return ended.resolve(EXIT.ok);
    endsOnInterrupt = !hadText;
    tui.requestRender();
  }

  function stop(): void {
    commands.stop();
    front.session.interrupt("stopped by you").then(() => tui.requestRender(), fail);
  }

  function onTerminate(): void {
    void front.session
      .interrupt("the terminal is closing")
      .catch(fail)
      .finally(() => ended.resolve(EXIT.interrupted));
  }

  function keysNow(): readonly string[] {
    // An open dialog shows its keys itself.
    if (front.session.busy && screen.dialog !== undefined) return front.yolo ? ["approvals off"] : [];
    if (front.session.busy)
      return [`Esc stops · Enter ${BUSY_WORDS[busyMode]}`, ...(front.yolo ? ["approvals off"] : [])];
    if (commands.slow && screen.dialog === undefined) return ["Esc stops"];
    return [...(endsOnInterrupt ? ["Ctrl-C again exits"] : []), ...(front.yolo ? ["approvals off"] : [])];
  }

  async function reread(): Promise<void> {
    const news = await rereadNotices(app, known);
    known = [...known, ...news];
    for (const notice of news) reportNotice(notice);
    shownAs.reread();
  }

  function reportNotice({ level, text, hint }: Notice): void {
    note(asTyped(hint === undefined ? text : `${text}\n${hint}`), level === "info" ? theme.dim : theme.warn);
  }

  function note(text: string, style?: (text: string) => string): void {
    conversation.note(text, style);
    tui.requestRender();
  }

  function fail(error: unknown): void {
    app.log.error("A turn failed", { cause: error });
    note(asTyped(error instanceof Error ? error.message : String(error)), theme.bad);
  }

  function host(): SlashHost {
    return {
      app,
      surface: options.source,
      signal: io.signal,
      terminal: true,
      keys: fullScreen ? [...KEYS, ["PgUp, PgDn", "Scroll, as the mouse wheel does"]] : KEYS,
      columns: () => tui.terminal.columns - 2,
      showsWaiting: true,
      session: () => front.session,
      switchSession: async (target) => {
        const before = front.session.id;
        await front.switchTo(target);
        footer.open(front.session, model.model);
        if (front.session.id === before) return;
        waiting.clear();
        conversation.reset();
        conversation.replay(front.session.view());
        void resumeTurn().catch(fail);
      },
      pick: (text, choices, of) =>
        prompter.pick(text, choices, of === "model" ? "model_picker_widget" : "clarify_widget", io.signal),
      attach: (image) => screen.images.add(image),
      display: shownAs,
      skins,
      statusbar: { get: () => !footer.hidden, set: (on) => void (footer.hidden = !on) },
      reload: reread,
      copy: (text) => tui.terminal.write(`\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`),
      busyMode: { get: () => busyMode, set: (mode) => (busyMode = mode) },
      yolo: { get: () => front.yolo, set: (on) => void front.setYolo(on).catch(fail) },
      titled: (title) => footer.rename(title),
      redraw: () => (tui.invalidate(), tui.requestRender(true)),
      clear: () => conversation.reset(),
      quit: () => ended.resolve(EXIT.ok),
    };
  }
}

const BUSY_WORDS: { readonly [mode in BusyMode]: string } = {
  queue: "queues",
  steer: "steers",
  interrupt: "interrupts",
};
