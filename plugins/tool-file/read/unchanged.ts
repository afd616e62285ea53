/** The text that read_file returns instead of an unchanged page; write_file refuses it as content. */
export const UNCHANGED =
  "Unchanged since you read it; the lines you got are still valid. If they are no longer in your context, read with another limit.";
