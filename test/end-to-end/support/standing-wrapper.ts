/**
 * A program that wraps the command line and, as a busy machine does, blocks once a question is on the screen until its
 * folder has the file `go`.
 */
import { existsSync } from "node:fs";
import { run } from "hermes-agent/cli";

let stood = false;

process.exitCode = await run(process.argv.slice(2), {
  layout: ({ status_bar, ...above }) => [
    ...Object.values(above),
    {
      render: (columns) => {
        if (!stood && above.approval_widget.render(columns).length > 0) {
          stood = true;
          // The question is drawn by then and does not accept keys yet. Timers run before input after an immediate.
          setTimeout(() => setImmediate(stand), 100);
        }
        return [];
      },
      invalidate: () => {},
    },
    status_bar,
  ],
});

function stand(): void {
  const memory = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync("go")) Atomics.wait(memory, 0, 0, 50);
}
