import { CombinedAutocompleteProvider, Container, Editor, ProcessTerminal, Spacer, Text, TuiMainScreen, matchesKey, type TUI } from "@earendil-works/pi-tui";
import type { App, OpenSession } from "../../../contract/app.ts";
import type { Session } from "../../../contract/session.ts";
import { coreCommands, runSlashCommand } from "../../commands/run-slash-command.ts";
import type { SlashHost } from "../../commands/slash-host.ts";
import { openChatSession, type ChatOptions } from "../commands/chat.ts";
import { EXIT } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { banner } from "./banner.ts";
import { ConversationView } from "./conversation-view.ts";
import { dialogPerson } from "./dialog-person.ts";
import { openHistory } from "./history-file.ts";
import { themeOf } from "./theme.ts";

type BusyMode = "queue" | "steer" | "interrupt";

/** The interactive session: an editor at the bottom, the conversation above it in the terminal's own scrollback. */
export async function interactive(app: App, io: Io, options: ChatOptions): Promise<number> {
  const theme = themeOf(io);
  const tui: TUI = new TuiMainScreen(new ProcessTerminal());
  const view = new ConversationView(tui, theme, (name) => app.tools.get(name));
  const dialogs = new Container();
  const editor = new Editor(tui, theme.editor, { paddingX: 1 });
  const footer = new Text("", 1, 0);
  const person = dialogPerson(tui, dialogs, () => tui.setFocus(editor), theme);
  const history = await openHistory(app.home);
  const ended = Promise.withResolvers<number>();
  let busyMode = busyModeOf(app);
  let yolo = options.yolo ?? false;
  let session = await openChatSession(app, { ...options, yolo }, person);
  let listening = session.subscribe((event) => onEvent(event));

  for (const line of history.lines) editor.addToHistory(line);
  for (const child of [new Text(await banner(app, theme, session.cwd), 1, 1), view.component, dialogs, new Spacer(1), editor, footer]) tui.addChild(child);
  editor.setAutocompleteProvider(new CombinedAutocompleteProvider(completions(), session.cwd));
  editor.onSubmit = (text) => void submit(text);
  tui.addInputListener((data) => {
    if (matchesKey(data, "ctrl+c")) return onInterrupt(), { consume: true };
    if (matchesKey(data, "ctrl+d") && editor.getText() === "") return ended.resolve(EXIT.ok), { consume: true };
    if (matchesKey(data, "escape") && session.busy && !asking()) return void stop(), { consume: true };
    return undefined;
  });
  process.on("SIGTERM", onTerminate);
  process.on("SIGHUP", onTerminate);
  tui.setFocus(editor);
  tui.start();
  drawFooter();
  view.replay(session.view());
  void carryOn();

  try {
    return await ended.promise;
  } finally {
    process.off("SIGTERM", onTerminate);
    process.off("SIGHUP", onTerminate);
    view.dispose();
    listening[Symbol.dispose]();
    tui.stop();
    const id = session.id;
    const said = session.view().entries.length > 0;
    await session[Symbol.asyncDispose]();
    if (said) io.note(`${io.style("dim", `hermes --resume ${id}`)}\n`);
  }

  function onEvent(event: Parameters<Parameters<Session["subscribe"]>[0]>[0]): void {
    view.show(event);
    if (event.kind === "fact") drawFooter();
  }

  async function carryOn(): Promise<void> {
    const lines = session.interrupted();
    if (lines.length === 0) return;
    for (const line of lines) view.note(line, theme.warn);
    await session.resume().catch(fail);
  }

  async function submit(raw: string): Promise<void> {
    const text = raw.trim();
    editor.setText("");
    if (text === "") return;
    editor.addToHistory(text);
    history.add(text).catch((error: unknown) => app.log.warning("The history could not be written", { cause: error }));
    if (text.startsWith("/")) return slash(text);
    if (session.busy && busyMode !== "interrupt") view.note(busyMode === "queue" ? `queued: ${text}` : `for the running turn: ${text}`);
    await session.send(text, { mode: session.busy ? busyMode : "queue" }).catch(fail);
    drawFooter();
  }

  async function slash(text: string): Promise<void> {
    const { ok, text: shown } = await runSlashCommand(text, host());
    if (shown !== "") view.note(shown, ok ? (line) => line : theme.warn);
    drawFooter();
  }

  function host(): SlashHost {
    return {
      app,
      surface: options.source,
      signal: io.signal,
      session: () => session,
      switchSession: (target) => openOther(target),
      busyMode: { get: () => busyMode, set: (mode) => (busyMode = mode) },
      yolo: { get: () => yolo, set: (on) => void setYolo(on).catch(fail) },
      redraw: () => tui.requestRender(true),
      clear: () => view.clear(),
      quit: () => ended.resolve(EXIT.ok),
    };
  }

  async function openOther(target: { readonly sessionId?: string; readonly model?: OpenSession["model"] }): Promise<void> {
    const same = target.sessionId === session.id;
    await session.interrupt("another session was opened");
    listening[Symbol.dispose]();
    await session[Symbol.asyncDispose]();
    session = await app.openSession({ surface: options.source, person, cwd: process.cwd(), yolo, sessionId: target.sessionId, model: target.model });
    listening = session.subscribe((event) => onEvent(event));
    if (!same) {
      view.clear();
      view.replay(session.view());
    }
    drawFooter();
  }

  /** Approvals are part of how a session is opened, so it is opened again under the new rule. */
  async function setYolo(on: boolean): Promise<void> {
    yolo = on;
    await openOther({ sessionId: session.view().entries.length > 0 ? session.id : undefined });
  }

  function completions() {
    return [
      ...coreCommands(host()).map((command) => ({ name: command.name, description: command.description, argumentHint: command.argsHint, getArgumentCompletions: async (prefix: string) => items(await command.complete?.(prefix, host()), prefix) })),
      ...app.commands.list().map((command) => ({ name: command.name, description: command.description, argumentHint: command.argsHint ?? "", getArgumentCompletions: async (prefix: string) => items(await command.complete?.(prefix), prefix) })),
    ];
  }

  function onInterrupt(): void {
    if (session.busy) return void stop();
    if (editor.getText() !== "") return editor.setText("");
    ended.resolve(EXIT.ok);
  }

  async function stop(): Promise<void> {
    await session.interrupt("stopped by the person");
    drawFooter();
  }

  function onTerminate(): void {
    void session.interrupt("the terminal is closing").finally(() => ended.resolve(EXIT.interrupted));
  }

  function asking(): boolean {
    return dialogs.children.length > 0;
  }

  function fail(error: unknown): void {
    app.log.error("A turn failed", { cause: error });
    view.note(error instanceof Error ? error.message : String(error), theme.bad);
    drawFooter();
  }

  function drawFooter(): void {
    const { usage, title, model } = session.view();
    const parts = [model ?? "", `${usage.inputTokens + usage.outputTokens} tokens`, title ?? session.id, ...(yolo ? ["approvals off"] : []), ...(session.busy ? [`Enter: ${busyMode}`, "Esc stops"] : [])];
    footer.setText(theme.dim(parts.filter((part) => part !== "").join(" · ")));
    tui.requestRender();
  }
}

function items(values: readonly string[] | undefined, prefix: string): { readonly value: string; readonly label: string }[] | null {
  const fitting = (values ?? []).filter((value) => value.startsWith(prefix));
  return fitting.length === 0 ? null : fitting.map((value) => ({ value, label: value }));
}

function busyModeOf(app: App): BusyMode {
  const mode = app.config.get("display.busy_input_mode");
  return mode === "queue" || mode === "steer" ? mode : "interrupt";
}
