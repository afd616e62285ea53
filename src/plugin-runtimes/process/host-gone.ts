/** The process is gone; it is unknown what the call did. */
export class HostGone extends Error {
  /** The plugin that ended the process, if it is another than the caller. */
  readonly neighbour: string | undefined;

  constructor(reason: string, neighbour?: string) {
    super(neighbour === undefined ? reason : `the plugin "${neighbour}" in the same process ended it: ${reason}`);
    this.name = "HostGone";
    this.neighbour = neighbour;
  }
}
