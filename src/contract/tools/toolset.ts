/** A named bundle of tools, the unit in which tools are switched on and off. */
export interface Toolset {
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
  /** Other toolsets whose tools this toolset includes. Cycles are allowed. */
  readonly includes: readonly string[];
}
