import { join } from "node:path";
import type { App } from "../../../contract/services/app.ts";
import type { Notice } from "../../../contract/common/notice.ts";
import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import type { SessionView } from "../../../contract/conversation/session.ts";
import { goalNote } from "../../../contract/conversation/goal-state.ts";
import { liveDisplay, type LiveDisplay } from "../../shared/display/live-display.ts";
import { Skins } from "../../shared/display/skins.ts";
import { openChatSession, openingOf, type ChatOptions } from "../conversation/chat-session.ts";
import { reportEnding, reportLeft } from "../conversation/left-background.ts";
import { noticesSince } from "../../shared/process/notices.ts";
import { observeStreams, type Io } from "../../shared/process/io.ts";
import { banner } from "./view/banner.ts";
import { Completions } from "./prompt/completions.ts";
import { dialogPrompter } from "./prompt/dialog-prompter.ts";
import { FrontSession } from "../conversation/front-session.ts";
import { bindKeys } from "./keys/bindings.ts";
import { KeyBindings } from "./keys/key-bindings.ts";
import { readUserKeys } from "./keys/user-keys.ts";
import { openHistory } from "./prompt/history-file.ts";
import { takeScreen } from "../input/screen-lock.ts";
import { Screen } from "./screen.ts";
import { ScreenConversation } from "./screen-conversation.ts";
import { backgroundOfVariable, type Background } from "./terminal/background.ts";
import { defaultLayout, type ScreenLayout } from "./screen-layout.ts";
import { themeOf } from "./view/theme.ts";
import { asTyped } from "../../shared/process/called-as.ts";
import { onHangup } from "../../shared/process/on-hangup.ts";

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
  const display = liveDisplay(app);
  const skins = new Skins(app);
  await skins.readFor(display.get().skin);
  const ground: { background: Background | undefined } = {
    background: backgroundOfVariable(process.env["COLORFGBG"]),
  };
  const theme = themeOf(
    io,
    () => skins.coloursOf(display.get().skin, ground.background),
    () => screen.redraw(),
    () => ground.background,
  );
  const fullScreen = options.tui ?? app.config.get("display.interface") === "tui";
  /** The key hints, as soon as there is a conversation that the keys act on. */
  const hints: { current(): readonly string[]; yolo(): boolean; pasted(text: string): boolean } = {
    current: () => [],
    yolo: () => false,
    pasted: () => false,
  };
  using screen = new Screen(theme, {
    fullScreen,
    layout,
    logFolder: join(app.home, "logs"),
    toolOf: (name) => app.tools.get(name),
    status: {
      keys: () => hints.current(),
      approvalsOff: () => hints.yolo() || approvalMode(app) === "off",
      mode: () => modeText(app),
      question: () => screen.question,
      contextTokens: (of) => app.models.contextTokens(of),
      async costOf(session) {
        const { sessionCost, shortCost } = await import("../../shared/costs/session-cost.ts");
        return shortCost(await sessionCost(app, session.id, () => session.view()));
      },
    },
    display: display.get,
    pasted: (text) => hints.pasted(text),
  });
  const prompter = dialogPrompter(screen, theme);
  const first = await openChatSession(app, options, prompter, { attended: true });
  await using front = new FrontSession(
    app,
    openingOf(options, prompter),
    first,
    eventListener(screen, display, () => front.session.view()),
  );
  const [head, history, { model }, userKeys] = await Promise.all([
    banner(app, theme, first.cwd),
    openHistory(app.home),
    app.models.current(),
    readUserKeys(app.home),
  ]);
  const conversation = new ScreenConversation({
    app,
    screen,
    fullScreen,
    theme,
    display,
    skins,
    front,
    prompter,
    history,
    surface: options.source,
    model,
    keys: bindKeys(userKeys.keys),
    signal: io.signal,
  });
  const keys = new KeyBindings(conversation);
  hints.current = () => keys.hints();
  hints.yolo = () => front.yolo;
  hints.pasted = (text) => conversation.dropped(text);
  const fail = (error: unknown): void => conversation.fail(error);

  screen.title(head);
  for (const line of history.lines) screen.editor.addToHistory(line);
  screen.editor.setAutocompleteProvider(new Completions(conversation.slashHost()));
  screen.editor.onSubmit = (text) => void conversation.submit(text).catch(fail);
  conversation.showNotices([...notices, ...noticesSince(app, notices), ...userKeys.notices]);
  screen.conversation.replay(first.view());
  screen.status.open(first, model);
  news?.((text, ok) => conversation.note(text, ok ? theme.dim : theme.warn));
  screen.tui.addInputListener((data) => keys.onKey(data));
  const onTerminate = (): void => conversation.terminate();
  process.on("SIGTERM", onTerminate);
  using _hangup = onHangup(onTerminate);
  observeStreams();
  const taken = takeScreen(() => screen.stop());
  screen.start();
  screen.detectBackground((background) => (ground.background = background));
  void conversation.resumeTurn().catch(fail);
  if (options.resume === true) void conversation.run("/resume").catch(fail);
  void reportLeft(app, options.source, (text) => conversation.note(text, theme.warn)).catch(fail);

  try {
    return await conversation.ended;
  } finally {
    process.off("SIGTERM", onTerminate);
    taken[Symbol.dispose]();
    await reportEnding(app, (text) => io.note(`${text}\n`));
    if (front.session.view().entries.length > 0)
      io.note(`${io.style("dim", asTyped(`hermes --resume ${front.session.id}`))}\n`);
  }
}

/** The approval mode of the settings. */
function approvalMode(app: App): string {
  return String(app.config.get("approvals.platforms.cli") ?? app.config.get("approvals.mode") ?? "manual");
}

/** For the status line: who decides about risky calls, and where commands run. "" for the usual mode. */
async function modeText(app: App): Promise<string> {
  const backend = app.config.get("terminal.backend") ?? "local";
  const sandboxed =
    backend === "local" && app.config.get("sandbox.mode") !== "off" && (await app.approvals.sandbox())?.kind === "on";
  return [
    ...(approvalMode(app) === "smart" ? ["smart approvals"] : []),
    ...(sandboxed ? ["sandbox"] : []),
    ...(backend === "local" ? [] : [String(backend)]),
  ].join(", ");
}

/** Shows the events of the session on the screen. */
function eventListener(screen: Screen, display: LiveDisplay, view: () => SessionView): (event: AgentEvent) => void {
  let startedAt = performance.now();
  const announceEnd = (reason: string, ranMs: number): void => {
    const { bell, notify, notifyAfterMs } = display.get();
    if (notify === "all" && ranMs >= notifyAfterMs && reason !== "cancelled")
      screen.callBack(`${reason === "done" ? "Done" : "Ended"}: ${view().title ?? "the turn"}`);
    else if (bell) screen.ring();
  };
  return (event) => {
    screen.conversation.onEvent(event);
    if (event.kind === "fact" && event.recorded.fact.type === "turns.undone") {
      screen.conversation.reset();
      screen.conversation.replay(view());
    }
    if (event.kind === "fact") {
      const { fact } = event.recorded;
      const note = goalNote(fact);
      if (note !== undefined) screen.conversation.note(note);
      screen.waiting.onFact(fact);
      screen.status.onFact(fact);
      if (fact.type === "turn.started") startedAt = performance.now();
      if (fact.type === "turn.ended") announceEnd(fact.reason, performance.now() - startedAt);
    }
    if (event.kind === "live") screen.redrawSoon();
    else screen.tui.requestRender();
  };
}
