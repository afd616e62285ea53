import type { Pipe, WritingPipe } from "./pipe.ts";

/** The pipes of a command in the background, or of what it left behind once it is `over`. */
export class BackgroundPipes implements Disposable {
  readonly id: number;
  readonly input: WritingPipe;
  readonly output: Pipe;
  pid = 0;
  over = false;

  constructor(id: number, input: WritingPipe, output: Pipe) {
    this.id = id;
    this.input = input;
    this.output = output;
  }

  [Symbol.dispose](): void {
    this.input[Symbol.dispose]();
    this.output[Symbol.dispose]();
  }
}
