/** The door for tools that edit texts, `hermes-agent/edit`: how `patch` finds the place that a model means. Pure. */
export { didYouMean } from "./did-you-mean.ts";
export { escapeDrift } from "./escape-drift.ts";
export { findAll } from "./exact.ts";
export { findMatch } from "./find-match.ts";
export { fitReplacement } from "./fit-replacement.ts";
export { replace, type Replaced } from "./replace.ts";
export type { Span } from "./span.ts";
