import type { Json } from "../../contract/common/json.ts";

/** A change of one setting in `config.yaml`. */
export type SettingsEdit =
  | { readonly kind: "set"; readonly path: string; readonly value: Json }
  | { readonly kind: "unset"; readonly path: string }
  /** Adds to a list what is not in it yet, takes out what is; both lists of one edit are done together. */
  | {
      readonly kind: "list";
      readonly path: string;
      readonly add?: readonly ListItem[];
      readonly remove?: readonly string[];
    };

/** Of a list: a text, or a rule that carries more. */
export type ListItem = string | { readonly rule: string; readonly until: string };
