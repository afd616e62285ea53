import type { App } from "../../../contract/services/app.ts";
import type { ScreenLayout } from "../interactive/screen-layout.ts";
import type { Io } from "../../shared/process/io.ts";
import type { Surfaces } from "./surfaces.ts";

/** Settings of this run only, by dotted path; they win over every file and variable. */
export type RunSettings = { readonly [path: string]: string };

/** What a command's action is given. `open` starts the agent of the global options once. */
export interface Call {
  readonly io: Io;
  readonly surfaces: Surfaces;
  /** Of the interactive screen, where a wrapping program has one of its own. */
  readonly layout?: ScreenLayout;
  /** @param forRepair With the sound part of a wrong config.yaml, for the commands that mend it. */
  open(forRepair?: "for-repair", settings?: RunSettings): Promise<App>;
}

export type Action = (call: Call, ...given: never[]) => Promise<number | void>;
/** Makes an action of the tree of what runs it. */
export type On = (action: Action) => (...given: unknown[]) => Promise<void>;
