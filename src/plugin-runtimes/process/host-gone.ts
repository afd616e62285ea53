/** The process is gone; what the call did is not known. */
export class HostGone extends Error {
  /** The plugin of the same process that took it along, when it is another than the one that called. */
  readonly neighbour: string | undefined;

  constructor(reason: string, neighbour?: string) {
    super(
      neighbour === undefined
        ? reason
        : `the plugin "${neighbour}" runs in the same process, and that ended: ${reason}`,
    );
    this.name = "HostGone";
    this.neighbour = neighbour;
  }
}
