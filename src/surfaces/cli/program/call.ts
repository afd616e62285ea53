import type { App } from "../../../contract/services/app.ts";
import type { ScreenLayout } from "../interactive/screen-layout.ts";
import type { Io } from "../../shared/process/io.ts";
import type { Surfaces } from "./surfaces.ts";

/** Settings of this run only, by dotted path; they win over every file and variable. */
export type RunSettings = { readonly [path: string]: string };

/** The context of a command's action. `open` starts the agent of the global options once. */
export interface Call {
  readonly io: Io;
  readonly surfaces: Surfaces;
  /** The screen layout, if a wrapping program sets one. */
  readonly layout?: ScreenLayout;
  /** @param forRepair Uses the valid part of a broken config.yaml, for the commands that repair it. */
  open(forRepair?: "for-repair", settings?: RunSettings): Promise<App>;
}

export type Action = (call: Call, ...given: never[]) => Promise<number | void>;
/** Makes an action of the tree of what runs it. */
export type On = (action: Action) => (...given: unknown[]) => Promise<void>;
