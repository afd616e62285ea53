import type { PlatformOffer } from "../../contract/providers/platform-offers.ts";
import type { PlayedPlatform } from "./far-end.ts";
import type { BenchOptions, PlatformBench } from "./platform-bench.ts";

/** One thing that every platform does, or declares not to. */
export interface Behaviour {
  readonly name: string;
  /** What the platform must offer for it. */
  readonly needs?: readonly PlatformOffer[];
  /** Members of the other end that it needs besides; without them it is skipped. */
  readonly far?: readonly (keyof PlayedPlatform)[];
  readonly options?: BenchOptions;
  run(bench: PlatformBench, play: () => Promise<PlayedPlatform>): Promise<void>;
}

export interface BehaviourGroup {
  readonly group: string;
  readonly behaviours: readonly Behaviour[];
}
