/** The elements that a skin colours, named as in the original's skin files. */
export const SKIN_COLORS = [
  "ui_accent",
  "ui_label",
  "ui_ok",
  "ui_warn",
  "ui_error",
  "banner_title",
  "banner_dim",
  "input_rule",
] as const;
export type SkinColor = (typeof SKIN_COLORS)[number];

/** Colours of the interactive session: `#rrggbb`, or a style such as `bold`. Absent ones use the terminal's own. */
export interface Skin {
  readonly name: string;
  readonly description: string;
  readonly colors: { readonly [what in SkinColor]?: string };
  /** Why its file cannot be used, or a part of it. */
  readonly problem?: string;
}
