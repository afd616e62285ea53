import { truncateToWidth, type Component } from "@earendil-works/pi-tui";

/** Below this, no part of the screen has room for its text. */
export const MIN_COLUMNS = 12;

/** What a narrower window shows, cut at its width. */
export const narrowWindow: Component = {
  render: (columns) => [truncateToWidth("too narrow", Math.max(1, columns), "")],
  invalidate: () => {},
};
