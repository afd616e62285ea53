/** The door for tools that edit texts, `hermes-agent/edit`: how `patch` finds the place that a model means. Pure. */
export { describeFault } from "./describe-fault.ts";
export { findAll } from "./exact.ts";
export { fitReplacement } from "./fit-replacement.ts";
export { bringsGutter } from "./gutter.ts";
export { lineChanges, type LineChange } from "./line-changes.ts";
export { locate, type EditFault, type Located } from "./locate.ts";
export { describeNearest } from "./nearest.ts";
export { replace, type Replaced } from "./replace.ts";
export type { Span } from "./span.ts";
