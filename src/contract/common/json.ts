/**
 * A value that survives `JSON.stringify` and back. Everything that crosses a process, a file or the wire has this type.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json | undefined;
}
