import { EDGE } from "./edge.ts";
import { PROGRAMS } from "./programs.ts";
import { SERVICES } from "./services.ts";
import type { Voice } from "./voice.ts";

/** The built-in voices by name. */
export const VOICES: ReadonlyMap<string, Voice> = new Map(
  [EDGE, ...SERVICES, ...PROGRAMS].map((voice) => [voice.name, voice]),
);
