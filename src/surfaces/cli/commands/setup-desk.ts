import type { App } from "../../../contract/app.ts";
import type { Io } from "../io.ts";
import type { Questions } from "../questions.ts";

/** What every section of `hermes setup` works with. */
export interface SetupDesk {
  readonly app: App;
  readonly io: Io;
  readonly questions: Questions;
  /** Only what is missing is asked for. */
  readonly quick: boolean;
}
