/** What read_file says instead of a page it gave before; write_file refuses it as content. */
export const UNCHANGED =
  "Not changed since you read it; the lines you were given still hold. Should they be gone from your context, ask with another limit.";
