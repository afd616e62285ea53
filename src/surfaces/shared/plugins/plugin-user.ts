/** The user who installs or enables a plugin: at a terminal, or in the dashboard. */
export interface PluginUser {
  /** Shows a result. */
  out(text: string): void;
  /** Shows a message. */
  note(text: string): void;
  readonly columns: number;
  readonly signal: AbortSignal;
  /** Absent: no user can be asked. */
  openAsker?(): Promise<Asker>;
}

export interface Asker extends Disposable {
  /** No more answers come: every later one is a denial or empty. */
  readonly ended: boolean;
  confirm(question: string): Promise<boolean>;
  ask(question: string): Promise<string>;
  /** Asks without showing the input. */
  askHidden(question: string): Promise<string>;
}
