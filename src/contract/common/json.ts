/** What survives `JSON.stringify` and back. Everything that crosses a process, a file or the wire is made of it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json | undefined;
}
