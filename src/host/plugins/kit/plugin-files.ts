export interface PluginNames {
  /** `my-dice`. */
  readonly name: string;
  /** `my_dice`, as tools and modules are named. */
  readonly word: string;
}

/** File texts by path inside the plugin's folder. */
export type PluginFiles = { readonly [path: string]: string };
