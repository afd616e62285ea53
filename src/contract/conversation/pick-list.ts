/** A list from which the user picks, with a filter and a preview. */
export interface PickList {
  readonly title: string;
  readonly items: readonly PickItem[];
  /** The value of the item that is selected at first. Default: the first item. */
  readonly selected?: string;
  /** The text beside the list for the selected item. A failure is shown instead. */
  preview?(value: string, signal: AbortSignal): string | Promise<string>;
  /** The preview is a unified diff. */
  readonly diff?: true;
  /** Called when an item becomes the selected one, also at first. */
  moved?(value: string): void;
  /** Enter calls this instead of picking. The list stays open and shows the item that it returns. */
  toggle?(value: string): Promise<PickItem>;
  /** Names the effect of Enter in the line of keys. Default: `picks`, or `switches` with `toggle`. */
  readonly verb?: string;
}

export interface PickItem {
  /** Unique in its list. */
  readonly value: string;
  readonly label: string;
  /** Shown behind the label, and found by the filter, too. */
  readonly detail?: string;
  /** Levels below the item before it, while nothing is filtered. */
  readonly depth?: number;
}
