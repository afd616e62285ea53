/**
 * The strongest thing a call does. It decides the approval default, what may run side by side, and what happens after a
 * crash: `none` and `read` run together and are run again after a crash; anything else runs alone, in order, and is
 * never run twice.
 */
export type Effect = "none" | "read" | "write" | "execute" | "network";
