import type { App } from "../../../contract/services/app.ts";
import type { ChangingSession } from "../../shared/conversation/changing-session.ts";
import type { SlashHost } from "../../shared/commands/slash-host.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import type { ChatTarget } from "./chat-state.ts";

/** Name of the surface, which selects the toolset and the settings. */
export const CHAT_SURFACE = "dashboard";

/** Actions of the page after a command. */
export interface CommandEffects {
  /** Shows another chat. */
  readonly goTo?: string;
  /** Puts this text into the editor. */
  readonly draft?: string;
}

interface HostPorts {
  readonly app: App;
  readonly signal: AbortSignal;
  readonly front: ChangingSession;
  /** The open session of this chat. */
  session(): Promise<Session>;
  pick(text: string, choices: readonly string[], signal: AbortSignal): Promise<string | undefined>;
  /** Opens another chat. */
  chat(target: ChatTarget): Promise<{ readonly id: string; session(): Promise<Session> }>;
  note(text: string): void;
  changed(): void;
}

/** The features of a chat in the page for slash commands. A command that switches does so in the page that sent it. */
export function commandHost(
  effects: { -readonly [Key in keyof CommandEffects]: CommandEffects[Key] },
  { app, signal, front, note, changed, ...ports }: HostPorts,
): SlashHost {
  let { session } = front;
  const useModel = (provider: string, model: string): void => {
    if (front.setModel(`${provider}:${model}`)) changed();
  };
  return {
    app,
    surface: CHAT_SURFACE,
    signal,
    session: () => session,
    switchSession: async (target) => {
      const next = await ports.chat({ cwd: session.cwd, ...target });
      effects.goTo = next.id;
      session = await next.session();
    },
    useModel: ({ provider, model }) => useModel(provider, model),
    carryOn: async () => (await ports.session()).resume(),
    pick: async (text, choices) => ports.pick(text, choices, signal),
    notify: note,
    background: {
      opening: () => front.opening,
      announce: async (end) => note((await import("../../shared/commands/agents.ts")).backgroundText(end)),
    },
    draft: (text) => void (effects.draft = text),
    showsWaiting: true,
    yolo: {
      get: () => front.yolo,
      set: (on) => void (front.setYolo(on) && changed()),
    },
    titled: changed,
  };
}
