import type { App } from "../../../../contract/services/app.ts";
import type { Io } from "../../../shared/process/io.ts";
import type { Questions } from "../../input/questions.ts";

/** The context of every section of `hermes setup`. */
export interface SetupContext {
  readonly app: App;
  readonly io: Io;
  readonly questions: Questions;
  /** Only what is missing is asked for. */
  readonly quick: boolean;
}
