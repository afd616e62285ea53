/** A named bundle of tools, the unit in which tools are switched on and off. */
export interface Toolset {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
  /** Other toolsets whose tools belong to it; cycles end quietly. */
  readonly includes: readonly string[];
}
