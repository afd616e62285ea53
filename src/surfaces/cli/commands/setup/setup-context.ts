import type { App } from "../../../../contract/services/app.ts";
import type { Io } from "../../../shared/process/io.ts";
import type { Questions } from "../../input/questions.ts";

/** The context of every section of `hermes setup`. */
export interface SetupContext {
  readonly app: App;
  readonly io: Io;
  readonly questions: Questions;
  /** Ask only for what is missing. */
  readonly quick: boolean;
}
